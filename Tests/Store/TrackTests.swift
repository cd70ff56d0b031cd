import Instants
import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor
@testable import Store

/// Positions in the database: who sees them, and what takes them away.
@Suite struct TrackTests {
    private struct Scene: Sendable {
        let scene: SharingScene
        let lee: Account.ID

        /// Kim's boat with a position each minute of the last two hours, which Lee watches since half an hour ago.
        static func with(_ body: @Sendable (Scene) async throws -> Void) async throws {
            try await SharingScene.with { scene in
                let lee = try await scene.fixture.addAccount("lee")
                _ = try await scene.invite(1)
                let outcome = try await scene.join(1, lee)
                #expect(outcome == .joined)
                let (slot, device) = (scene.device.slot.rawValue, scene.device.device.rawValue)
                try await scene.sql(
                    """
                    UPDATE ownership SET moves = role = 'owner', linked_at = now() - interval '10 days',
                        readings_from = CASE role WHEN 'owner' THEN '-infinity' ELSE now() - interval '30 minutes 30 seconds' END;
                    INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature, ph)
                    SELECT \(slot), 0, \(device), date_trunc('second', now()) - n * interval '1 minute', now(), 20, 7
                    FROM generate_series(1, 120) AS n;
                    INSERT INTO track SELECT slot, device_id, event_time, 4800000 + row_number() OVER (), 1600000, 5 FROM sample
                    """)
                try await body(Scene(scene: scene, lee: lee))
            }
        }

        var kim: Account.ID { scene.kim }
        private var key: String { "\(scene.device.slot.rawValue)::smallint, \(scene.device.device.rawValue)" }

        /// A statement as the Gateway for a person.
        func ask(_ person: Account.ID, _ sql: String) async throws -> String {
            try await scene.fixture.database.sql(
                """
                BEGIN;
                DO 'BEGIN PERFORM name_person(\(person.rawValue)); END';
                SET LOCAL SESSION AUTHORIZATION aqua_gateway;
                \(sql);
                COMMIT
                """, as: .superuser
            ).split(separator: "\n").last.map(String.init) ?? ""
        }

        func seen(_ person: Account.ID) async throws -> String {
            try await ask(person, "SELECT count(*) FROM person_track")
        }
        func forget(_ person: Account.ID, most: Int = 1_000) async throws -> String {
            try await ask(person, "SELECT forget_track(\(key), \(most))")
        }
        func last(_ person: Account.ID) async throws -> String {
            try await ask(person, "SELECT count(*) FROM last_position(\(key))")
        }
        func delete(_ person: Account.ID, parameters: Int32, seen: String) async throws -> String {
            try await ask(
                person,
                """
                SELECT outcome FROM delete_readings(\(key), now() - interval '11 minutes', now(), \(parameters), \(seen), NULL)
                """)
        }
    }

    @Test func aTrackIsOfTheTimeInWhichItsReadingsArePersons() async throws {
        try await Scene.with { scene in
            #expect(try await scene.seen(scene.kim) == "120")
            #expect(try await scene.seen(scene.lee) == "30")
            #expect(try await scene.last(scene.lee) == "1")
            let eve = try await scene.scene.fixture.addAccount("eve")
            #expect(try await scene.seen(eve) == "0")
            #expect(try await scene.last(eve) == "0")
        }
    }

    /// The next owner sees nothing of it, and the device does not move before they say so.
    @Test func theNextOwnerBeginsWithNothing() async throws {
        try await Scene.with { scene in
            #expect(try await scene.scene.unlink(scene.kim))
            let mia = try await scene.scene.fixture.addAccount("mia")
            try await scene.scene.fixture.link(scene.scene.device, to: mia)
            #expect(try await scene.seen(mia) == "0")
            #expect(try await scene.last(mia) == "0")
            #expect(try await scene.ask(mia, "SELECT moves FROM person_device WHERE unlinked_at IS NULL") == "f")
            #expect(try await scene.seen(scene.kim) == "120", "what was theirs stays theirs")
            try await scene.scene.sql("UPDATE ownership SET moves = true WHERE unlinked_at IS NULL")
            #expect(try await scene.ask(mia, "SELECT moves FROM person_device WHERE unlinked_at IS NULL") == "t")
            #expect(
                try await scene.ask(scene.kim, "SELECT bool_or(moves) FROM person_device") == "f",
                "what it is for the next owner is theirs to know")
        }
    }

    @Test func anOwnerAloneForgetsAllOfIt() async throws {
        try await Scene.with { scene in
            let byLee = try await scene.forget(scene.lee)
            let left = try await scene.seen(scene.kim)
            #expect(byLee == "0" && left == "120")
            let first = try await scene.forget(scene.kim, most: 100)
            let second = try await scene.forget(scene.kim, most: 100)
            let none = try await scene.seen(scene.kim)
            #expect(first == "100" && second == "20" && none == "0")
            let noted = try await scene.scene.sql(
                "SELECT count(*) FROM audit_entry WHERE action = 'track.delete' AND account_id = \(scene.kim.rawValue)")
            let readings = try await scene.scene.sql("SELECT count(*) FROM sample")
            #expect(noted == "1" && readings == "120")
        }
    }

    /// The position of a message goes with the last of its readings.
    @Test func deletedReadingsTakeTheirPositionsAlong() async throws {
        try await Scene.with { scene in
            let ph = Int32(1) << Int32(Parameter.ph.rawValue)
            let one = try await scene.delete(scene.kim, parameters: ph, seen: "10")
            #expect(one == "deleted")
            #expect(try await scene.seen(scene.kim) == "120", "the temperature is still there")
            #expect(try await scene.delete(scene.kim, parameters: -1, seen: "10") == "deleted")
            #expect(try await scene.seen(scene.kim) == "110")
        }
    }

    @Test func aClosedAccountTakesAlongWhatNobodyElseSees() async throws {
        try await Scene.with { scene in
            _ = try await scene.scene.fixture.owner.execute(CloseAccount(scene.kim))
            var rounds = 0
            while try await scene.scene.sql("SELECT coalesce(erase_readings(50), -1)") != "-1" {
                rounds += 1
                try #require(rounds < 100)
            }
            #expect(try await scene.scene.sql("SELECT count(*) FROM track") == "30", "those are Lee's as well")
        }
    }

    /// As long as readings are kept, counted by whole days, and not a day less whatever an Ingestor asks for.
    @Test func whatIsOldIsDeletedSomeAtATime() async throws {
        try await Scene.with { scene in
            try await scene.scene.sql(
                """
                INSERT INTO track SELECT slot, device_id, now() - (SELECT keep FROM retention WHERE kind = 'samples') - n * interval '1 day', 1, 1, NULL
                FROM device, generate_series(0, 5) AS n
                """)
            let ingestor = try await SchemaFixture.connect(scene.scene.fixture.database, .ingestor)
            let delete = DeleteOldPositions(keep: .seconds(9 * 86_400), limit: 3)
            let counts = [
                try await ingestor.execute(delete), try await ingestor.execute(delete),
                try await ingestor.execute(delete),
            ]
            #expect(counts == [[3], [2], [0]])
            #expect(try await scene.scene.sql("SELECT count(*) FROM track") == "121")
            await ingestor.close()
        }
    }

    @Test func aWatchersDeviceNeverMovesByTheirWord() async throws {
        try await Scene.with { scene in
            let error = await #expect(throws: PostgresError.self) {
                try await scene.scene.fixture.owner.executeScript(
                    "UPDATE ownership SET moves = true WHERE role = 'watcher'")
            }
            #expect(error?.code == .checkViolation)
        }
    }
}
