import Instants
import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Store

/// The last values: the same as when everything is added up, by looking at little.
@Suite struct LatestTests {
    private static let histories = UInt64(1)...16

    @Test func theAnswerIsThatOfAddingEverythingUp() async throws {
        try await SchemaFixture.with { fixture in
            let ann = try await fixture.addAccount("ann")
            try await fixture.database.sql(FormerLatest.sql)
            var shown = 0
            for seed in Self.histories {
                let answer = try await fixture.database.sql(
                    """
                    BEGIN;
                    SET LOCAL session_replication_role = replica;
                    SET LOCAL aqua.account = '\(ann.rawValue)';
                    \(LatestHistory.sql(seed: seed, of: ann))
                    SELECT count(*) FROM latest_readings(NULL);
                    SELECT 'missing', m.* FROM (SELECT * FROM former_latest_readings(NULL) EXCEPT ALL SELECT * FROM latest_readings(NULL)) m;
                    SELECT 'wrong', w.* FROM (SELECT * FROM latest_readings(NULL) EXCEPT ALL SELECT * FROM former_latest_readings(NULL)) w;
                    SELECT 'alone', a.* FROM (
                        SELECT r.* FROM device d, latest_readings(d.hardware_id) r EXCEPT ALL SELECT * FROM latest_readings(NULL)) a;
                    ROLLBACK;
                    """)
                let lines = answer.split(separator: "\n")
                shown += lines.first.flatMap { Int($0) } ?? 0
                #expect(lines.count == 1, "seed \(seed): \(answer)")
            }
            #expect(shown > 100, "histories of nothing prove nothing")
        }
    }

    /// A pond whose probe tells its temperature each second.
    private struct Pond {
        let fixture: SchemaFixture
        let device: DeviceKey
        let ann: Account.ID
        /// The beginning of the hour in which the test began, in SQL.
        let hour: String

        static func with(_ body: @Sendable (Pond) async throws -> Void) async throws {
            try await SchemaFixture.with { fixture in
                let device = try await fixture.addDevice("pond-1")
                let ann = try await fixture.addAccount("ann")
                try await fixture.link(device, to: ann)
                let now = try #require(try await fixture.owner.execute(ReadClock()).first)
                let hour = now.roundedDown(to: RollUpSchedule.hour)
                try await body(Pond(fixture: fixture, device: device, ann: ann, hour: "'\(hour)'::timestamptz"))
            }
        }

        var key: String { "\(device.slot.rawValue), \(device.device.rawValue)" }

        func send(_ parameter: Parameter, at time: String) async throws {
            try await fixture.database.sql(
                """
                INSERT INTO sample (slot, device_id, flags, event_time, received_at, \(parameter.name))
                VALUES (\(key), 0, \(time), now(), 7)
                """)
        }

        /// Sends temperatures, a second after each other, of which the last is the newest of all.
        func sendTemperatures(_ count: Int) async throws {
            try await fixture.database.sql(
                """
                INSERT INTO sample (slot, device_id, flags, event_time, received_at, temperature)
                SELECT \(key), 0, now() - n * interval '1 s', now(), 20
                FROM generate_series(1, \(count)) n
                """)
        }

        /// Rolls the hour up that begins so many hours before that one, and with it its day.
        func rollUp(_ parameter: Parameter, hoursAgo: Int) async throws {
            let start = "\(hour) - interval '\(hoursAgo) hours'"
            try await fixture.database.sql(
                """
                UPDATE rollup_progress SET hours_since = least(hours_since, \(start)), hours_until = \(start) + interval '1 hour';
                INSERT INTO sample_hour (slot, device_id, starts_at, \(parameter.name)_count) VALUES (\(key), \(start), 1);
                INSERT INTO sample_day (slot, device_id, starts_at, \(parameter.name)_count)
                VALUES (\(key), date_bin('24 hours', \(start), 'epoch'), 1)
                ON CONFLICT (slot, device_id, starts_at) DO UPDATE SET \(parameter.name)_count = 1;
                """)
        }

        /// The parameters that have a last value, in the order of their numbers.
        func shown() async throws -> [Parameter] {
            let numbers = try await fixture.database.sql(
                """
                BEGIN;
                SET LOCAL aqua.account = '\(ann.rawValue)';
                SELECT parameter FROM latest_readings('pond-1') ORDER BY parameter;
                ROLLBACK;
                """)
            return numbers.split(separator: "\n").compactMap { Int16($0).flatMap(Parameter.init(rawValue:)) }
        }
    }

    @Test func aParameterOfTheWeekIsFoundBehindAnyNumberOfMessages() async throws {
        try await Pond.with { pond in
            try await pond.rollUp(.ph, hoursAgo: 4)
            try await pond.send(.ph, at: "\(pond.hour) - interval '150 minutes'")
            try await pond.sendTemperatures(1_200)
            #expect(try await pond.shown() == [.temperature, .ph])
        }
    }

    @Test func aNewParameterIsFoundAmongTheNewestMessagesAndOnceItIsRolledUp() async throws {
        try await Pond.with { pond in
            try await pond.rollUp(.temperature, hoursAgo: 4)
            try await pond.send(.ph, at: "\(pond.hour) - interval '150 minutes'")
            try await pond.sendTemperatures(499)
            #expect(try await pond.shown() == [.temperature, .ph])
            try await pond.send(.temperature, at: "now() - interval '1 hour'")
            #expect(
                try await pond.shown() == [.temperature], "the 501st of those that are not rolled up is not looked at")
            try await pond.rollUp(.ph, hoursAgo: 3)
            #expect(try await pond.shown() == [.temperature, .ph])
        }
    }

    @Test func anHourThatIsDueIsLookedThroughForEverything() async throws {
        try await Pond.with { pond in
            try await pond.rollUp(.temperature, hoursAgo: 4)
            try await pond.send(.hardness, at: "now() - interval '5 days'")
            try await pond.sendTemperatures(1)
            #expect(try await pond.shown() == [.temperature])
            try await pond.fixture.database.sql(
                """
                INSERT INTO rollup_due (slot, device_id, hour)
                VALUES (\(pond.device.slot.rawValue), NULL, date_bin('1 hour', now() - interval '5 days', 'epoch'))
                """)
            #expect(try await pond.shown() == [.temperature, .hardness])
        }
    }

    /// Whoever links a device anew sees what it sends from then on, as whoever had it before does not.
    @Test func nothingOfBeforeAndNothingAfterwards() async throws {
        try await Pond.with { pond in
            try await pond.rollUp(.hardness, hoursAgo: 30)
            try await pond.send(.hardness, at: "\(pond.hour) - interval '29.5 hours'")
            try await pond.send(.ph, at: "now() - interval '10 minutes'")
            try await pond.sendTemperatures(1)
            #expect(try await pond.shown() == [.temperature, .ph, .hardness])
            try await pond.fixture.database.sql("UPDATE ownership SET readings_from = now() - interval '5 minutes'")
            #expect(try await pond.shown() == [.temperature])
            try await pond.fixture.database.sql("UPDATE ownership SET unlinked_at = now()")
            #expect(try await pond.shown() == [])
        }
    }
}
