import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// The conditions under which the database's clock is trusted. Each test is a series of records in one night, in
/// seconds from the first.
@Suite struct ClockTests {
    /// A database whose clock was trusted, with devices that sent half an hour of readings until then.
    private struct Night: Sendable {
        let fixture: SchemaFixture
        /// The first second of the night, twelve hours ago, so that partitions exist for everything that follows.
        let start: String

        /// A device's own time: its lag behind the receipt, in seconds.
        enum Time: Sendable {
            case lagging(by: Int)
            case none
            case notBelieved
        }

        static func with(devices times: [Time], _ body: @Sendable (Night) async throws -> Void) async throws {
            try await SchemaFixture.with { fixture in
                let start = try await fixture.database.sql(
                    "SELECT date_trunc('hour', now()) - interval '12 hours'")
                let night = Night(fixture: fixture, start: "'\(start)'::timestamptz")
                try await fixture.database.sql("SELECT make_sample_partitions(current_date - 8, current_date + 4)")
                for place in times.indices { _ = try await fixture.addDevice("tank-\(place)") }
                for minute in stride(from: -30, through: 0, by: 6) { try await night.hear(times, at: minute * 60) }
                #expect(try await night.note(at: 0))
                try await body(night)
            }
        }

        func time(_ seconds: Int) -> String { "(\(start) + interval '\(seconds) s')" }

        func note(at seconds: Int) async throws -> Bool {
            try await fixture.database.sql("SELECT note_clock_at(\(time(seconds)))", as: .owner) == "t"
        }

        /// Stores a reading of each device; `nil` for a silent one.
        func hear(_ times: [Time?], at seconds: Int) async throws {
            for case (let place, let time?) in times.enumerated() {
                let (flags, lag) =
                    switch time {
                    case .lagging(let lag): (0, lag)
                    case .none: (1, 0)
                    case .notBelieved: (5, 0)
                    }
                try await fixture.database.sql(
                    """
                    INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                    SELECT slot, \(flags), device_id, \(self.time(seconds - lag)), \(self.time(seconds)), 7
                    FROM device WHERE hardware_id = 'tank-\(place)' ON CONFLICT DO NOTHING
                    """)
            }
        }
    }

    private static let hours = 3_600

    @Test func aClockThatRunsOnIsBelieved() async throws {
        try await Night.with(devices: []) { (night: Night) async throws in
            for seconds in [1, 15, 30, 300, 600, 590, 400, 401] { #expect(try await night.note(at: seconds)) }
        }
    }

    /// The clock leaps and comes back. Its time in between is not trusted; after its return, work resumes at once.
    @Test(arguments: [301, 3 * hours, 90 * 24 * hours, -3 * hours]) func aLeapIsNot(_ leap: Int) async throws {
        try await Night.with(devices: [.none, .none]) { (night: Night) async throws in
            #expect(try await night.note(at: leap) == false)
            #expect(try await night.note(at: leap + 15) == false)
            #expect(try await night.note(at: 30))
        }
    }

    /// The whole installation was stopped, but the devices' clocks ran on.
    @Test(arguments: [0, 2 * hours, -120]) func devicesConfirmAClockAfterAStop(_ lag: Int) async throws {
        let time = Night.Time.lagging(by: lag)
        try await Night.with(devices: [time, time, time, .none]) { (night: Night) async throws in
            #expect(try await night.note(at: 8 * Self.hours) == false)
            #expect(try await night.note(at: 8 * Self.hours + 15) == false, "nobody was heard yet")
            try await night.hear([time, nil, nil, Night.Time.none], at: 8 * Self.hours + 20)
            #expect(try await night.note(at: 8 * Self.hours + 30) == false, "one alone")
            try await night.hear([nil, time, time], at: 8 * Self.hours + 40)
            #expect(try await night.note(at: 8 * Self.hours + 45))
        }
    }

    @Test func oneDeviceAloneSpeaksForItself() async throws {
        try await Night.with(devices: [.lagging(by: 1)]) { (night: Night) async throws in
            #expect(try await night.note(at: 8 * Self.hours) == false)
            try await night.hear([.lagging(by: 1)], at: 8 * Self.hours + 10)
            #expect(try await night.note(at: 8 * Self.hours + 15))
        }
    }

    /// An attacker with the key of one device confirms a wrong server clock. The other devices contradict it.
    @Test func oneKeyOutvotesNobody() async throws {
        let honest = Night.Time.lagging(by: 0)
        try await Night.with(devices: [honest, honest, honest]) { (night: Night) async throws in
            let leap = 3 * Self.hours
            #expect(try await night.note(at: leap) == false)
            for minute in stride(from: 0, through: 26 * 60, by: 4) {
                let seconds = leap + minute * 60
                try await night.hear([honest, .lagging(by: leap), .lagging(by: leap)], at: seconds)
                #expect(try await night.note(at: seconds + 1) == false, "after \(minute) minutes")
            }
        }
    }

    /// One device with a clock does not confirm the time for devices without one.
    @Test func oneKeySpeaksForNobodyElse() async throws {
        try await Night.with(devices: [.lagging(by: 0), .none, .none]) { (night: Night) async throws in
            #expect(try await night.note(at: 3 * Self.hours) == false)
            try await night.hear([.lagging(by: 0), Night.Time.none, Night.Time.none], at: 3 * Self.hours + 10)
            #expect(try await night.note(at: 3 * Self.hours + 15) == false)
        }
    }

    /// Readings received before the clock was set back by hours do not confirm it, though their times were right then.
    @Test func whatWasHeardBeforeConfirmsNothing() async throws {
        let time = Night.Time.lagging(by: 0)
        try await Night.with(devices: [time, time, time]) { (night: Night) async throws in
            #expect(try await night.note(at: -1_500) == false)
            #expect(try await night.note(at: -1_440) == false)
            try await night.hear([.notBelieved, .notBelieved, .notBelieved], at: -1_430)
            #expect(try await night.note(at: -1_425) == false)
        }
    }

    /// Without a device that has a clock, the server's clock must run on without a leap for as long as the stop lasted.
    @Test func whereNobodyHasAClockItHasToRunOn() async throws {
        try await Night.with(devices: [.none, .none]) { (night: Night) async throws in
            let stop = 20 * 60
            for seconds in stride(from: stop, to: 2 * stop, by: 240) {
                #expect(try await night.note(at: seconds) == false)
            }
            #expect(try await night.note(at: 2 * stop))
            // A clock that keeps leaping is never trusted.
            for seconds in [10_000, 30_000, 10_000, 50_000, 10_300] {
                #expect(try await night.note(at: seconds) == false)
            }
        }
    }

    private static func dropSamples(_ ingestor: PostgresConnection) async throws -> String? {
        try await ingestor.execute(DropOldestPartition(of: .samples, keep: .seconds(8 * 86_400))).first ?? nil
    }

    /// The clock is 90 days ahead of its last trusted time, so all data look 90 days older than they are.
    @Test func aWrongClockDropsAndRollsUpNothing() async throws {
        try await SchemaFixture.with { fixture in
            let ingestor = try await SchemaFixture.connect(fixture.database, .ingestor)
            try await fixture.database.sql(
                """
                SELECT make_sample_partitions(current_date - 91, current_date - 80);
                UPDATE retention SET keep = '8 days';
                UPDATE rollup_progress SET hours_since = date_trunc('hour', now()) - interval '1 day', hours_until = date_trunc('hour', now());
                UPDATE clock_watch SET trusted_at = now() - interval '90 days'
                """)
            let alert =
                "INSERT INTO alert (slot, account_id, alert_id, kind, purpose, opened_at, event_time, decided_at, state) "
            _ = try await fixture.addAccount("kim")
            try await fixture.database.sql(
                alert
                    + "SELECT 5, account_id, 1, 'test', 'test', now(), now(), now() - interval '91 days', 'delivered' FROM account"
            )
            for _ in 1...3 {
                #expect(try await ingestor.execute(NoteClock()) == [false])
                #expect(try await Self.dropSamples(ingestor) == nil)
                #expect(try await ingestor.execute(DeleteOldAlerts(keep: .seconds(8 * 86_400), limit: 10)) == [0])
            }
            try await fixture.database.sql("UPDATE rollup_progress SET hours_until = hours_until - interval '5 hours'")
            #expect(try await ingestor.execute(ClaimNextHour()).isEmpty)
            // The clock turns out to be right.
            try await fixture.database.sql("UPDATE clock_watch SET trusted_at = now()")
            #expect(try await ingestor.execute(ClaimNextHour()).count == 1)
            try await fixture.database.sql("UPDATE rollup_progress SET hours_until = date_trunc('hour', now())")
            for _ in 1...12 { #expect(try await Self.dropSamples(ingestor) != nil) }
            #expect(try await Self.dropSamples(ingestor) == nil)
            #expect(try await ingestor.execute(DeleteOldAlerts(keep: .seconds(8 * 86_400), limit: 10)) == [1])
            await ingestor.close()
        }
    }

    /// Partitions made for days far ahead are dropped, unless they hold something.
    @Test func emptyDaysAheadAreTakenAway() async throws {
        try await SchemaFixture.with { fixture in
            let ingestor = try await SchemaFixture.connect(fixture.database, .ingestor)
            for day in ["29990101", "29990102"] {
                try await fixture.database.sql(
                    """
                    CREATE TABLE sample_\(day) PARTITION OF sample
                        FOR VALUES FROM ('\(day)') TO ('\(day)'::timestamptz + interval '1 day')
                    """, as: .owner)
            }
            try await fixture.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at)
                    VALUES (5, 1, 1, '29990102', '29990102')
                """)
            let ahead = try await ingestor.execute(MeasureUpkeep())[0].partitionsAhead
            #expect(ahead == 3)
            #expect(try await Self.dropSamples(ingestor) == "sample_29990101")
            #expect(try await Self.dropSamples(ingestor) == nil)
            #expect(try await fixture.database.sql("SELECT count(*) FROM sample") == "1")
            await ingestor.close()
        }
    }

    /// A device's latest status is not hidden by one that it sent while a clock was ahead.
    @Test func aStatusFromTheFutureIsReplaced() async throws {
        try await SchemaFixture.with { fixture in
            let ingestor = try await SchemaFixture.connect(fixture.database, .ingestor)
            let device = try await fixture.addDevice("tank-1")
            try await fixture.database.sql(
                "INSERT INTO device_status SELECT slot, device_id, true, now() + interval '90 days' FROM device")
            let now = try await ingestor.execute(ReadClosingClock())[0]
            let status = RecordStatuses.Status(slot: device.slot, device: device.device, online: false, at: now)
            try await ingestor.perform(RecordStatuses([status]))
            #expect(try await fixture.database.sql("SELECT online FROM device_status") == "f")
            await ingestor.close()
        }
    }
}
