import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Lives as they are kept, and who sees them. Anna's device begins with version 1.8.0 and a change to it.
@Suite struct DeviceLifeTests {
    private func note(
        _ people: TwoPeople, _ family: LifeReport.Family = .native, _ keep: (inout LifeReport) -> Void
    ) async throws {
        var said = LifeReport(family)
        keep(&said)
        let ingestor = try await SchemaFixture.connect(people.fixture.database, .ingestor)
        try await ingestor.perform(NoteDeviceLives([people.anna.device: said]))
        await ingestor.close()
    }

    private func seen(by person: TwoPeople.Person, _ people: TwoPeople) async throws -> KnownLife? {
        let device = people.anna.device
        return try await people.gateway.transaction { transaction in
            _ = try transaction.execute(EnterSession(person.session))
            let several = try transaction.execute(FindPersonLives(of: [device, device]))
            let one = try transaction.execute(FindPersonLife(of: device)).first
            #expect(several.count == (one == nil ? 0 : 2))
            return one
        }
    }

    private func ofAnna(_ table: String, _ people: TwoPeople) -> String {
        "FROM \(table) WHERE device_id = \(people.anna.device.device.rawValue)"
    }

    @Test func theLatestTheLeastAndChangesAreKept() async throws {
        try await TwoPeople.with { people in
            func sql(_ text: String) async throws -> String { try await people.fixture.database.sql(text) }
            try await note(people) {
                $0.keep(battery: 80)
                $0.keep(signal: -70)
                $0.keep(uptime: 100_000)
                $0.keep(reset: "poweron")
            }
            try await note(people) {
                $0.keep(battery: 4)
                $0.keep(signal: -88)
            }
            try await note(people) {
                $0.keep(version: "1.9.0")
                $0.keep(battery: 90)
                $0.keep(uptime: 5)
                $0.keep(reset: "brownout")
                $0.keep(newer: "2.0.0")
            }
            let known = try #require(try await seen(by: people.anna, people))
            #expect(known.family == .known(.native) && known.version == "1.9.0" && known.newer == "2.0.0")
            #expect(known.life.battery?.value == 90 && known.life.signal?.value == -88 && known.reset == "brownout")
            let day = try #require(known.life.days.last)
            #expect(day.battery == 4 && day.signal == -88 && day.restarts == 1 && day.silences == 0)
            #expect(
                try await sql(
                    "SELECT string_agg(concat_ws(' ', kind, former, value), ', ' ORDER BY at, kind) "
                        + ofAnna("device_life_change", people))
                    == "version 1.8.0, reset poweron, reset poweron brownout, version 1.8.0 1.9.0")
            // An offer ends with the version that it was for.
            try await note(people) { $0.keep(version: "2.0.0") }
            #expect(try await seen(by: people.anna, people)?.newer == nil)
            // Flashed with other firmware, the device has told nothing yet but a signal.
            try await note(people, .esphome) { $0.keep(signal: -60) }
            let flashed = try await seen(by: people.anna, people)
            #expect(flashed?.family == .known(.esphome) && flashed?.version == nil && flashed?.reset == nil)
            #expect(flashed?.life.battery?.value == 90)
        }
    }

    /// Each of its people has an episode of their own, which begins when they were told first.
    @Test func aSilenceCountsOnceHoweverManyAreTold() async throws {
        try await TwoPeople.with { people in
            try await note(people) { $0.keep(battery: 50) }
            let device = people.anna.device
            try await people.fixture.database.sql(
                """
                INSERT INTO episode (slot, device_id, account_id, episode_id, kind, opened_at, last_at, closed_at, closed_because)
                SELECT \(device.slot.rawValue), \(device.device.rawValue), e.account, 900 + e.opened, 'silence',
                    l.day + e.opened * interval '1 s', l.day + e.opened * interval '1 s', l.day + e.closed * interval '1 s',
                    CASE WHEN e.closed IS NOT NULL THEN 'recovered' END
                FROM (SELECT max(day)::timestamp AT TIME ZONE 'UTC' AS day \(ofAnna("device_life_day", people))) AS l, (VALUES
                    (\(people.anna.account.rawValue), 1, 2), (\(people.anna.account.rawValue), 10, NULL),
                    (\(people.ben.account.rawValue), 12, NULL)) AS e (account, opened, closed)
                """)
            let known = try await people.fixture.owner.execute(FindDeviceLife(of: device)).first
            #expect(known?.life.days.map(\.silences) == [2])
        }
    }

    /// A clock that drifts and a note that comes late are no restart.
    @Test func onlyAnUptimeThatBeginsAnewIsARestart() async throws {
        try await TwoPeople.with { people in
            for uptime in [3_600.0, 3_580, 3_600, 20, 3_600, 3_600] {
                try await note(people) { $0.keep(uptime: uptime) }
            }
            let day = try #require(try await seen(by: people.anna, people)?.life.days.last)
            #expect(day.restarts == 1)
        }
    }

    @Test func whatGrowsIsBounded() async throws {
        try await TwoPeople.with { people in
            for number in 0..<40 { try await note(people) { $0.keep(version: "2.\(number)") } }
            func count(_ table: String) async throws -> String {
                try await people.fixture.database.sql("SELECT count(*) " + ofAnna(table, people))
            }
            #expect(try await count("device_life_change") == "32")
            try await people.fixture.database.sql(
                """
                INSERT INTO device_life_day (slot, device_id, day, noted_at)
                SELECT slot, device_id, day - n, now() FROM device_life_day, generate_series(1, 70) n
                """)
            try await note(people) { $0.keep(battery: 50) }
            #expect(try await count("device_life_day") == "60")
            #expect(try await seen(by: people.anna, people)?.life.days.count == 60)
        }
    }

    @Test func nothingIsNotedOfADeviceThatDoesNotExist() async throws {
        try await TwoPeople.with { people in
            var said = LifeReport(.native)
            said.keep(battery: 4)
            let ingestor = try await SchemaFixture.connect(people.fixture.database, .ingestor)
            let device = DeviceKey(slot: people.anna.device.slot, device: Device.ID(rawValue: 999_999))
            try await ingestor.perform(NoteDeviceLives([device: said]))
            await ingestor.close()
            #expect(try await people.fixture.database.sql("SELECT count(*) FROM device_life WHERE battery = 4") == "0")
        }
    }

    /// A watcher sees it from when they see readings, a stranger never, and whoever has the device next begins with none.
    @Test func itIsSeenAsValuesAreAndEndsWithTheLink() async throws {
        try await TwoPeople.with { people in
            let device = people.anna.device
            let place = "slot = \(device.slot.rawValue) AND device_id = \(device.device.rawValue)"
            func sql(_ text: String) async throws -> String { try await people.fixture.database.sql(text) }
            #expect(try await seen(by: people.anna, people)?.version == "1.8.0")
            #expect(try await seen(by: people.ben, people) == nil, "a stranger")
            _ = try await sql(
                """
                INSERT INTO ownership (slot, device_id, account_id, name, role, readings_from)
                VALUES (\(device.slot.rawValue), \(device.device.rawValue), \(people.ben.account.rawValue), 'Pond', 'watcher', now())
                """)
            #expect(try await seen(by: people.ben, people) == nil, "nothing was said since")
            try await note(people) { $0.keep(battery: 60) }
            let watched = try #require(try await seen(by: people.ben, people))
            #expect(
                watched.life.battery?.value == 60 && watched.life.days.isEmpty,
                "of the day they joined they know no least")
            #expect(watched.versionAt == nil, "that was before")
            _ = try await sql("UPDATE ownership SET unlinked_at = now() WHERE role = 'owner' AND \(place)")
            for table in ["device_life", "device_life_day", "device_life_change"] {
                #expect(try await sql("SELECT count(*) FROM \(table) WHERE \(place)") == "0", "\(table)")
            }
        }
    }

    /// Words between two owners are nobody's.
    @Test func theNextOwnerBeginsWithNone() async throws {
        try await TwoPeople.with { people in
            let device = people.anna.device
            let place = "slot = \(device.slot.rawValue) AND device_id = \(device.device.rawValue)"
            try await people.fixture.database.sql(
                "UPDATE ownership SET unlinked_at = now() WHERE role = 'owner' AND \(place)")
            try await note(people) { $0.keep(battery: 60) }
            try await people.fixture.database.sql(
                """
                INSERT INTO ownership (slot, device_id, account_id, name, readings_from)
                VALUES (\(device.slot.rawValue), \(device.device.rawValue), \(people.ben.account.rawValue), 'Pond', now())
                """)
            #expect(try await seen(by: people.ben, people) == nil)
        }
    }
}
