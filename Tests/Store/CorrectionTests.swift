import Instants
import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Store

/// Deleting readings and approving periods: who may, how much, and what follows.
@Suite struct CorrectionTests {
    private struct Scene: Sendable {
        let scene: SharingScene
        let lee: Account.ID
        let eve: Account.ID

        /// Kim's tank with a message each minute of the last two hours, which Lee watches. Eve has no part in it.
        static func with(_ body: @Sendable (Scene) async throws -> Void) async throws {
            try await SharingScene.with { scene in
                let lee = try await scene.fixture.addAccount("lee")
                let eve = try await scene.fixture.addAccount("eve")
                _ = try await scene.invite(1)
                #expect(try await scene.join(1, lee) == .joined)
                try await scene.sql(
                    """
                    UPDATE ownership SET linked_at = now() - interval '10 days';
                    INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature, ph)
                    SELECT \(scene.device.slot.rawValue), 0, \(scene.device.device.rawValue), h - n * interval '1 minute', now(), 20, 7
                    FROM date_trunc('hour', now()) AS h, generate_series(1, 120) AS n
                    """)
                try await body(Scene(scene: scene, lee: lee, eve: eve))
            }
        }

        var kim: Account.ID { scene.kim }

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

        /// Deletes in the hour before last, as a person.
        func delete(
            _ person: Account.ID, seen: String = "NULL", parameters: Int32 = -1,
            from: String = "date_trunc('hour', now()) - interval '2 hours'",
            until: String = "date_trunc('hour', now()) - interval '1 hour'"
        ) async throws -> String {
            try await ask(
                person,
                """
                SELECT outcome, messages, readings FROM delete_readings(\(scene.device.slot.rawValue)::smallint,
                    \(scene.device.device.rawValue), \(from), \(until), \(parameters), \(seen), 'in the air')
                """)
        }

        func approve(_ person: Account.ID, hours: Int = 2) async throws -> String {
            try await ask(
                person,
                """
                SELECT outcome FROM approve_period(\(scene.device.slot.rawValue)::smallint, \(scene.device.device.rawValue),
                    date_trunc('hour', now()) - interval '\(hours) hours', date_trunc('hour', now()), NULL)
                """)
        }

        func sql(_ text: String) async throws -> String { try await scene.sql(text) }
    }

    @Test func whatWasSeenIsWhatIsDeleted() async throws {
        try await Scene.with { scene in
            #expect(try await scene.delete(scene.kim) == "counted|60|120")
            #expect(try await scene.sql("SELECT count(*) FROM deletion") == "0", "a look deletes nothing")
            #expect(try await scene.delete(scene.kim, seen: "119") == "differs|60|120")
            #expect(try await scene.delete(scene.kim, seen: "60", parameters: 1) == "deleted|60|60")
            #expect(try await scene.sql("SELECT count(temperature), count(ph), count(*) FROM sample") == "60|120|120")
            #expect(try await scene.delete(scene.kim) == "counted|60|60", "what is gone is not counted again")
            #expect(try await scene.delete(scene.kim, seen: "60") == "deleted|60|60")
            #expect(try await scene.delete(scene.kim, seen: "0") == "counted|0|0")
            #expect(
                try await scene.sql("SELECT count(*), min(account_id), min(note) FROM deletion")
                    == "2|\(scene.kim.rawValue)|in the air")
            #expect(
                try await scene.ask(scene.kim, "SELECT count(*) FROM person_sample") == "60", "keys are no messages")
        }
    }

    @Test func onlyTheOwnerDeletes() async throws {
        try await Scene.with { scene in
            #expect(try await scene.delete(scene.lee, seen: "120") == "notOwner|0|0")
            #expect(try await scene.delete(scene.eve, seen: "120") == "unknown|0|0")
            #expect(try await scene.sql("SELECT count(ph) FROM sample") == "120")
            #expect(try await scene.delete(scene.kim, seen: "120") == "deleted|60|120")
            for (person, seen) in [(scene.kim, "1"), (scene.lee, "1"), (scene.eve, "0")] {
                #expect(try await scene.ask(person, "SELECT count(*) FROM deletion") == seen)
            }
            await #expect(throws: (any Error).self) { try await scene.ask(scene.kim, "DELETE FROM deletion") }
            await #expect(throws: (any Error).self) { try await scene.ask(scene.kim, "UPDATE sample SET ph = 7") }
        }
    }

    @Test func aDeletionHasBounds() async throws {
        try await Scene.with { scene in
            #expect(try await scene.delete(scene.kim, from: "now() - interval '32 days'") == "tooLong|0|0")
            #expect(try await scene.delete(scene.kim, from: "now() - interval '30 days'") == "tooOld|0|0")
            _ = try await scene.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                SELECT slot, 0, device_id, date_trunc('hour', now()) - interval '2 hours' + n * interval '100 ms', now(), 7
                FROM device, generate_series(1, 25000) AS n WHERE hardware_id = 'tank-1' ON CONFLICT DO NOTHING
                """)
            #expect(try await scene.delete(scene.kim).hasPrefix("tooMany|"))
            _ = try await scene.sql("UPDATE growth_bound SET in_all = 1 WHERE held = 'deletion'")
            let last = "date_trunc('hour', now()) - interval '10 minutes'"
            let end = "date_trunc('hour', now())"
            #expect(try await scene.delete(scene.kim, seen: "20", from: last, until: end) == "deleted|10|20")
            await #expect(throws: (any Error).self) {
                try await scene.delete(
                    scene.kim, seen: "20", from: "\(last) - interval '10 minutes'",
                    until: "\(end) - interval '10 minutes'")
            }
        }
    }

    /// Hours that the clock has closed are rolled up again, and engines read the device anew.
    @Test func whoeverKeepsSumsIsToldOfIt() async throws {
        try await Scene.with { scene in
            let version = "SELECT rules_version FROM device WHERE hardware_id = 'tank-1'"
            let before = try await scene.sql(version)
            #expect(try await scene.delete(scene.kim, seen: "120") == "deleted|60|120")
            #expect(
                try await scene.sql(
                    """
                    SELECT count(*), bool_and(hour = date_trunc('hour', now()) - interval '2 hours') FROM rollup_due
                    """) == "1|t")
            #expect(try await scene.sql(version) != before)
        }
    }

    /// A late message that is older than what was deleted is no news: what was deleted had been decided upon.
    @Test func whatWasDeletedStaysEvaluated() async throws {
        try await Scene.with { scene in
            let newest = "SELECT max(event_time) FROM sample"
            let last = try await scene.sql(newest)
            _ = try await scene.delete(
                scene.kim, seen: "240", from: "now() - interval '4 hours'", until: "date_trunc('hour', now())")
            let now = WallClock.system.now()
            let rows = try await scene.scene.fixture.owner.execute(
                FindWatermarks([
                    EvaluatedSince(key: scene.scene.device, before: now + .seconds(60), since: now - .seconds(86_400))
                ]))
            let known = try #require(rows.first?.times[Int(Parameter.ph.rawValue)])
            #expect(try await scene.sql("SELECT '\(known.iso8601)'::timestamptz = '\(last)'::timestamptz") == "t")
        }
    }

    @Test func whatIsApprovedIsNotDeletedUntilThatIsWithdrawn() async throws {
        try await Scene.with { scene in
            #expect(try await scene.approve(scene.lee) == "notOwner")
            #expect(try await scene.approve(scene.eve) == "unknown")
            #expect(try await scene.approve(scene.kim) == "created")
            #expect(try await scene.approve(scene.kim) == "same", "one approval of one period")
            #expect(try await scene.delete(scene.kim, seen: "120") == "approved|0|0")
            let withdrawal = """
                SELECT withdraw_approval(\(scene.scene.device.slot.rawValue)::smallint, \(scene.scene.device.device.rawValue),
                    '\(try await scene.sql("SELECT approval_id FROM approval"))', 'slipped')
                """
            #expect(try await scene.ask(scene.eve, withdrawal) == "unknown")
            #expect(try await scene.ask(scene.lee, withdrawal) == "notOwner")
            #expect(try await scene.ask(scene.kim, withdrawal) == "done")
            #expect(try await scene.ask(scene.kim, withdrawal) == "done")
            #expect(
                try await scene.sql("SELECT count(*), min(withdrawn_reason), count(withdrawn_by) FROM approval")
                    == "1|slipped|1", "it stays as history")
            #expect(try await scene.delete(scene.kim, seen: "120") == "deleted|60|120")
            #expect(try await scene.approve(scene.kim) == "created", "anew")
            let future = try await scene.ask(
                scene.kim,
                """
                SELECT outcome FROM approve_period(\(scene.scene.device.slot.rawValue)::smallint, \(scene.scene.device.device.rawValue),
                    date_trunc('hour', now()), date_trunc('hour', now()) + interval '1 hour', NULL)
                """)
            #expect(future == "tooEarly")
        }
    }

    /// With the owner's account go the tank and its records.
    @Test func recordsGoWithTheTank() async throws {
        try await Scene.with { scene in
            #expect(try await scene.delete(scene.kim, seen: "120") == "deleted|60|120")
            #expect(try await scene.approve(scene.kim) == "created")
            _ = try await scene.sql("SELECT close_account(\(scene.kim.rawValue))")
            #expect(
                try await scene.sql("SELECT (SELECT count(*) FROM deletion), (SELECT count(*) FROM approval)") == "0|0")
        }
    }
}
