import Postgres
import Testing
import WaterQuality

@testable import Store

/// Readings of the time before a watcher joined: those since the start of an open alarm, if the owner allows it.
@Suite struct SinceAlarmTests {
    /// Readings of Kim's device every hour of the last twelve, at half past, with their roll-ups.
    private static func with(_ body: @Sendable (SharingScene, _ lee: Account.ID) async throws -> Void) async throws {
        try await SharingScene.with { scene in
            let lee = try await scene.fixture.addAccount("lee")
            try await scene.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                SELECT slot, 0, device_id, date_trunc('hour', now()) - n * interval '1 hour' + interval '30 minutes', now(), n
                FROM device, generate_series(1, 12) AS n;
                INSERT INTO sample_hour (slot, device_id, starts_at, ph_sum, ph_min, ph_max, ph_count)
                SELECT slot, device_id, date_trunc('hour', now()) - n * interval '1 hour', n, n, n, 1
                FROM device, generate_series(1, 12) AS n
                """)
            try await body(scene, lee)
        }
    }

    /// The time `hours` before the present hour.
    private static func hour(_ hours: Double) -> String { "date_trunc('hour', now()) - interval '\(hours) hours'" }

    private static func episode(
        _ number: Int, of person: Account.ID, hours: Double, kind: String = "range", isOpen: Bool = true
    ) -> String {
        """
        INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, closed_at,
            closed_because)
        SELECT slot, device_id, \(number), \(person.rawValue), \(number), '\(kind)', CASE '\(kind)' WHEN 'range' THEN 'high' END,
            \(hour(hours)), now(), CASE WHEN NOT \(isOpen) THEN now() END, CASE WHEN NOT \(isOpen) THEN 'recovered' END
        FROM device;
        """
    }

    /// The hours whose reading a person sees, and the hours whose roll-up they see, as hours before the present one.
    private static func seen(_ scene: SharingScene, by person: Account.ID) async throws -> String {
        try await scene.sql(
            """
            BEGIN;
            SET LOCAL aqua.account = '\(person.rawValue)';
            SELECT (SELECT string_agg(ph::text, ' ' ORDER BY ph) FROM person_sample),
                (SELECT string_agg(ph_sum::text, ' ' ORDER BY ph_sum) FROM person_sample_hour);
            COMMIT
            """)
    }

    private static func join(
        _ scene: SharingScene, _ token: UInt8, _ person: Account.ID, _ readings: DeviceInvitation.Readings
    ) async throws {
        #expect(try await scene.invite(token, readings: readings)?.readings.known == readings)
        #expect(try await scene.join(token, person) == .joined)
    }

    /// Access starts with the owner's first open alarm. Closed episodes, episodes of others and silences do not count.
    @Test func whoIsCalledToAnAlarmSeesItFromItsBeginning() async throws {
        try await Self.with { scene, lee in
            let ann = try await scene.fixture.addAccount("ann")
            try await Self.join(scene, 1, ann, .sinceAlarm)
            #expect(try await Self.seen(scene, by: ann) == "|", "no alarm is open")
            try await scene.sql(
                Self.episode(1, of: scene.kim, hours: 3.75) + Self.episode(2, of: scene.kim, hours: 2, kind: "rate")
                    + Self.episode(3, of: scene.kim, hours: 8, isOpen: false) + Self.episode(4, of: ann, hours: 9)
                    + Self.episode(5, of: scene.kim, hours: 10, kind: "silence"))
            try await Self.join(scene, 2, lee, .sinceAlarm)
            // The alarm began at a quarter past an hour: that hour's reading at half past is shown, its roll-up is not.
            #expect(try await Self.seen(scene, by: lee) == "1 2 3 4|1 2 3")
            #expect(try await Self.seen(scene, by: ann) == "|", "who joined before it began")
            #expect(
                try await scene.sql(
                    "SELECT count(*) FROM ownership WHERE role = 'watcher' AND linked_at > now() - interval '10 minutes'"
                )
                    == "2", "they watch from now on")
        }
    }

    @Test func nobodyElseSeesMoreThanWhatComes() async throws {
        try await Self.with { scene, lee in
            try await scene.sql(Self.episode(1, of: scene.kim, hours: 3.25))
            try await Self.join(scene, 1, lee, .sinceJoining)
            #expect(try await Self.seen(scene, by: lee) == "|")
            #expect(
                try await scene.sql("SELECT readings_from = linked_at FROM ownership WHERE role = 'watcher'") == "t")
        }
    }

    /// A clock that was put back, or a restore, may leave an episode that began before its owner's first reading.
    @Test func theFormerOwnersWaterStaysTheirs() async throws {
        try await Self.with { scene, lee in
            try await scene.sql(
                "UPDATE ownership SET readings_from = \(Self.hour(2)); \(Self.episode(1, of: scene.kim, hours: 6))")
            try await Self.join(scene, 1, lee, .sinceAlarm)
            #expect(try await Self.seen(scene, by: lee) == "1 2|1 2")
            #expect(try await Self.seen(scene, by: scene.kim) == "1 2|1 2")
        }
    }

    /// A returning watcher sees each reading once, including those of their earlier time.
    @Test func whoComesBackSeesEachReadingOnce() async throws {
        try await Self.with { scene, lee in
            try await scene.sql(Self.episode(1, of: scene.kim, hours: 7))
            try await Self.join(scene, 1, lee, .sinceJoining)
            #expect(try await scene.fixture.owner.execute(EndWatching(device: scene.device, account: lee)) == [true])
            try await scene.sql(
                """
                UPDATE ownership SET linked_at = \(Self.hour(6)), readings_from = \(Self.hour(6)), unlinked_at = \(Self.hour(4))
                WHERE role = 'watcher'
                """)
            #expect(try await Self.seen(scene, by: lee) == "5 6|5 6")
            try await Self.join(scene, 2, lee, .sinceAlarm)
            #expect(try await Self.seen(scene, by: lee) == "1 2 3 4 5 6|1 2 3 4 5 6")
        }
    }

    /// An invitation does not inherit the permission of an earlier one in the same place.
    @Test func aPlaceRemembersNoPermission() async throws {
        try await Self.with { scene, lee in
            for token in 1...UInt8(AddDeviceInvitation.most) {
                #expect(try await scene.invite(token, readings: .sinceAlarm)?.readings == .known(.sinceAlarm))
            }
            #expect(try await scene.join(1, lee) == .joined)
            #expect(try await scene.invite(100)?.readings == .known(.sinceJoining))
            let listed = try await scene.fixture.owner.execute(ListDeviceInvitations(of: scene.device, by: scene.kim))
            #expect(
                listed.count { $0.readings == .known(.sinceJoining) } == 1 && listed.count == AddDeviceInvitation.most)
        }
    }
}
