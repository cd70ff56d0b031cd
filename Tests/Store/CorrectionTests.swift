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
                let outcome1 = try await scene.join(1, lee)
                #expect(outcome1 == .joined)
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
            let outcome2 = try await scene.delete(scene.kim)
            #expect(outcome2 == "counted|60|120")
            let outcome3 = try await scene.sql("SELECT count(*) FROM deletion")
            #expect(outcome3 == "0", "a look deletes nothing")
            let outcome4 = try await scene.delete(scene.kim, seen: "119")
            #expect(outcome4 == "differs|60|120")
            let outcome5 = try await scene.delete(scene.kim, seen: "60", parameters: 1)
            #expect(outcome5 == "deleted|60|60")
            let outcome6 = try await scene.sql("SELECT count(temperature), count(ph), count(*) FROM sample")
            #expect(outcome6 == "60|120|120")
            let outcome7 = try await scene.delete(scene.kim)
            #expect(outcome7 == "counted|60|60", "what is gone is not counted again")
            let outcome8 = try await scene.delete(scene.kim, seen: "60")
            #expect(outcome8 == "deleted|60|60")
            let outcome9 = try await scene.delete(scene.kim, seen: "0")
            #expect(outcome9 == "counted|0|0")
            let outcome10 = try await scene.sql("SELECT count(*), min(account_id), min(note) FROM deletion")
            #expect(outcome10 == "2|\(scene.kim.rawValue)|in the air")
            let outcome11 = try await scene.ask(scene.kim, "SELECT count(*) FROM person_sample")
            #expect(outcome11 == "60", "keys are no messages")
        }
    }

    @Test func onlyTheOwnerDeletes() async throws {
        try await Scene.with { scene in
            let outcome12 = try await scene.delete(scene.lee, seen: "120")
            #expect(outcome12 == "notOwner|0|0")
            let outcome13 = try await scene.delete(scene.eve, seen: "120")
            #expect(outcome13 == "unknown|0|0")
            let outcome14 = try await scene.sql("SELECT count(ph) FROM sample")
            #expect(outcome14 == "120")
            let outcome15 = try await scene.delete(scene.kim, seen: "120")
            #expect(outcome15 == "deleted|60|120")
            for (person, seen) in [(scene.kim, "1"), (scene.lee, "1"), (scene.eve, "0")] {
                let outcome16 = try await scene.ask(person, "SELECT count(*) FROM deletion")
                #expect(outcome16 == seen)
            }
            await #expect(throws: (any Error).self) { try await scene.ask(scene.kim, "DELETE FROM deletion") }
            await #expect(throws: (any Error).self) { try await scene.ask(scene.kim, "UPDATE sample SET ph = 7") }
        }
    }

    @Test func aDeletionHasBounds() async throws {
        try await Scene.with { scene in
            let outcome17 = try await scene.delete(scene.kim, from: "now() - interval '32 days'")
            #expect(outcome17 == "tooLong|0|0")
            let outcome18 = try await scene.delete(scene.kim, from: "now() - interval '30 days'")
            #expect(outcome18 == "tooOld|0|0")
            _ = try await scene.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                SELECT slot, 0, device_id, date_trunc('hour', now()) - interval '2 hours' + n * interval '100 ms', now(), 7
                FROM device, generate_series(1, 25000) AS n WHERE hardware_id = 'tank-1' ON CONFLICT DO NOTHING
                """)
            let outcome19 = try await scene.delete(scene.kim).hasPrefix("tooMany|")
            #expect(outcome19)
            _ = try await scene.sql("UPDATE growth_bound SET in_all = 1 WHERE held = 'deletion'")
            let last = "date_trunc('hour', now()) - interval '10 minutes'"
            let end = "date_trunc('hour', now())"
            let outcome20 = try await scene.delete(scene.kim, seen: "20", from: last, until: end)
            #expect(outcome20 == "deleted|10|20")
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
            let outcome21 = try await scene.delete(scene.kim, seen: "120")
            #expect(outcome21 == "deleted|60|120")
            let outcome22 = try await scene.sql(
                """
                SELECT count(*), bool_and(hour = date_trunc('hour', now()) - interval '2 hours') FROM rollup_due
                """)
            #expect(outcome22 == "1|t")
            let outcome23 = try await scene.sql(version)
            #expect(outcome23 != before)
        }
    }

    /// Displays forget what they show, and Ingestors what they would compute with.
    @Test func whoeverKnowsLastValuesIsToldOfIt() async throws {
        try await Scene.with { scene in
            let listener = PostgresListener(
                try SchemaFixture.configuration(scene.scene.fixture.database, .ingestor), channels: [Channel.display])
            try await listener.withEvents { events in
                var iterator = events.makeAsyncIterator()
                let first = await iterator.next()
                #expect(first == .mayHaveMissed)
                _ = try await scene.delete(scene.kim)
                _ = try await scene.sql("NOTIFY display, 'looked'")
                _ = try await scene.delete(scene.kim, seen: "120")
                for payload in ["looked", "anew \(scene.scene.device.device.rawValue)"] {
                    let event = await iterator.next()
                    #expect(event == .notified(channel: Channel.display, payload: payload))
                }
            }
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
            let outcome24 = try await scene.sql("SELECT '\(known.iso8601)'::timestamptz = '\(last)'::timestamptz")
            #expect(outcome24 == "t")
        }
    }

    @Test func whatIsApprovedIsNotDeletedUntilThatIsWithdrawn() async throws {
        try await Scene.with { scene in
            let outcome25 = try await scene.approve(scene.lee)
            #expect(outcome25 == "notOwner")
            let outcome26 = try await scene.approve(scene.eve)
            #expect(outcome26 == "unknown")
            let outcome27 = try await scene.approve(scene.kim)
            #expect(outcome27 == "created")
            let outcome28 = try await scene.approve(scene.kim)
            #expect(outcome28 == "same", "one approval of one period")
            let outcome29 = try await scene.delete(scene.kim, seen: "120")
            #expect(outcome29 == "approved|0|0")
            let withdrawal = """
                SELECT withdraw_approval(\(scene.scene.device.slot.rawValue)::smallint, \(scene.scene.device.device.rawValue),
                    '\(try await scene.sql("SELECT approval_id FROM approval"))', 'slipped')
                """
            let outcome30 = try await scene.ask(scene.eve, withdrawal)
            #expect(outcome30 == "unknown")
            let outcome31 = try await scene.ask(scene.lee, withdrawal)
            #expect(outcome31 == "notOwner")
            let outcome32 = try await scene.ask(scene.kim, withdrawal)
            #expect(outcome32 == "done")
            let outcome33 = try await scene.ask(scene.kim, withdrawal)
            #expect(outcome33 == "done")
            let outcome34 = try await scene.sql(
                "SELECT count(*), min(withdrawn_reason), count(withdrawn_by) FROM approval")
            #expect(outcome34 == "1|slipped|1", "it stays as history")
            let outcome35 = try await scene.delete(scene.kim, seen: "120")
            #expect(outcome35 == "deleted|60|120")
            let outcome36 = try await scene.approve(scene.kim)
            #expect(outcome36 == "created", "anew")
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
            let outcome37 = try await scene.delete(scene.kim, seen: "120")
            #expect(outcome37 == "deleted|60|120")
            let outcome38 = try await scene.approve(scene.kim)
            #expect(outcome38 == "created")
            _ = try await scene.sql("SELECT close_account(\(scene.kim.rawValue))")
            let outcome39 = try await scene.sql(
                "SELECT (SELECT count(*) FROM deletion), (SELECT count(*) FROM approval)")
            #expect(outcome39 == "0|0")
        }
    }
}
