import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway
@testable import Notifier
@testable import Operator

/// Closing an account removes the person's rows from every table, and no rows of others.
@Suite struct ClosedAccountTests {
    private func close(_ people: TwoPeople, _ person: TwoPeople.Person) async throws {
        let closed = try await people.gateway.transaction { transaction in
            _ = try transaction.execute(EnterSession(person.session))
            return try transaction.execute(CloseAccount(person.account))
        }
        #expect(closed == [true])
    }

    private func erase(_ people: TwoPeople) async throws {
        let ingestor = try await SchemaFixture.connect(people.fixture.database, .ingestor)
        while try await ingestor.execute(EraseReadings(limit: 20)).first ?? nil != nil {}
        await ingestor.close()
    }

    /// The number of rows by table and person. Tables come from the system catalogue, so a new table is checked too.
    private func rows(_ people: TwoPeople) async throws -> [String: String] {
        let tables = try await people.fixture.database.sql(
            """
            SELECT c.relname || ' ' || string_agg(a.attname, ',') FROM pg_class c
            JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped AND a.attname IN ('account_id', 'used_by')
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') GROUP BY c.relname
            """)
        var found: [String: String] = [:]
        for line in tables.split(separator: "\n") {
            let parts = line.split(separator: " ")
            for column in parts[1].split(separator: ",") {
                for (name, person) in [("anna", people.anna), ("ben", people.ben)] {
                    found["\(parts[0]).\(column) \(name)"] = try await people.fixture.database.sql(
                        "SELECT count(*) FROM \(parts[0]) WHERE \(column) = \(person.account.rawValue)")
                }
            }
        }
        return found
    }

    @Test func nothingOfThemIsLeftAndNothingOfOthersIsGone() async throws {
        try await TwoPeople.with { people in
            let database = people.fixture.database
            _ = try await people.fixture.owner.execute(
                AddAccountInvitation(
                    hash: TwoPeople.hash("x"), email: "anna@example.org", lifetime: .seconds(86_400)))
            let unowned = """
                SELECT (SELECT count(*) FROM transition) || ' ' || (SELECT count(*) FROM delivery_attempt) || ' '
                    || (SELECT count(*) FROM endpoint_retirement) || ' ' || (SELECT count(*) FROM sample) || ' '
                    || (SELECT count(*) FROM sample_hour) || ' ' || (SELECT count(*) FROM sample_day)
                """
            #expect(try await database.sql(unowned) == "2 2 2 102 2 2")
            let before = try await rows(people)
            try await close(people, people.anna)
            try await erase(people)
            let after = try await rows(people)
            for (place, count) in after {
                #expect(count == (place.hasSuffix("anna") ? "0" : before[place]), "\(place)")
            }
            #expect(try await database.sql(unowned) == "1 1 1 51 1 1")
            let tables = try await database.sql(
                "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')")
            for table in tables.split(separator: "\n") {
                let named = try await database.sql(
                    "SELECT count(*) FROM \(table) t WHERE t::text LIKE '%anna@%' OR t::text LIKE '%anna.example%'")
                #expect(named == "0", "\(table)")
            }
            let device = "SELECT count(*) FROM device WHERE hardware_id = 'tank-anna'"
            #expect(try await database.sql(device) == "1", "the device is not a person's")
            #expect(try await people.gateway.execute(EnterSession(people.anna.session)).isEmpty)
            #expect(try await people.gateway.execute(EnterToken(hash: TwoPeople.hash("anna-token"))).isEmpty)
            #expect(try await !people.gateway.execute(EnterSession(people.ben.session)).isEmpty)
        }
    }

    /// Ben watched Anna's device for a while: he keeps what he saw, and the rest is deleted.
    @Test func whatAWatcherSawStaysTheirs() async throws {
        try await TwoPeople.with { people in
            let (slot, device) = (people.anna.device.slot.rawValue, people.anna.device.device.rawValue)
            try await people.fixture.database.sql(
                """
                INSERT INTO ownership (slot, device_id, account_id, name, role, linked_at, unlinked_at)
                VALUES (\(slot), \(device), \(people.ben.account.rawValue), 'Pond', 'watcher',
                    now() - interval '20 hours 30 minutes', now() - interval '10 hours 30 minutes')
                """)
            let seen = """
                SELECT count(*) || ' ' || min(event_time) || ' ' || max(event_time) FROM person_sample
                WHERE device_id = \(device)
                """
            let before = try await people.asGateway(of: people.ben, seen)
            #expect(before.hasPrefix("10 "))
            try await close(people, people.anna)
            try await erase(people)
            #expect(try await people.asGateway(of: people.ben, seen) == before)
            let left = "SELECT count(*) FROM sample WHERE device_id = \(device)"
            #expect(try await people.fixture.database.sql(left) == "10")
        }
    }

    /// Anna fed Ben's fish, and Ben was told so.
    @Test func messagesOfWhatTheyDidNameThemNoMore() async throws {
        try await TwoPeople.with { people in
            let database = people.fixture.database
            let (anna, ben) = (people.anna.account.rawValue, people.ben.account.rawValue)
            try await database.sql(
                """
                INSERT INTO ownership (slot, device_id, account_id, name, role, linked_at, unlinked_at)
                SELECT slot, device_id, \(anna), 'Pond', 'watcher', now() - interval '2 days', now() - interval '1 day' FROM ownership
                WHERE account_id = \(ben) AND role = 'owner';
                INSERT INTO alert (slot, account_id, alert_id, uid, kind, purpose, opened_at, event_time, state, about)
                VALUES (\(ben) % 64, \(ben), 9001, gen_random_uuid(), 'care', 'note', now(), now(), 'delivered', ARRAY[
                    '{"count":2,"replaces":"x"}', '{"name":"Feed","by":"Anna","account":\(anna)}', '{"name":"Feed","by":"Ben","account":\(ben)}']);
                UPDATE reminder_telling SET waits_at = NULL, alert_id = 9001, settled_at = now(), settled_by = \(anna) WHERE account_id = \(ben)
                """)
            try await close(people, people.anna)
            let lines = try await database.sql(
                "SELECT unnest(about)::jsonb - 'replaces' FROM alert WHERE alert_id = 9001")
            #expect(
                lines.split(separator: "\n").map(String.init) == [
                    #"{"count": 2}"#, #"{"name": "Feed"}"#, #"{"by": "Ben", "name": "Feed", "account": \#(ben)}"#,
                ])
            let settled =
                "SELECT settled_at IS NOT NULL AND settled_by IS NULL FROM reminder_telling WHERE account_id = \(ben)"
            #expect(try await database.sql(settled) == "t")
        }
    }

    /// Late readings of the time before the link are not shown to the next owner.
    @Test func theNextOwnerSeesNothingOfTheTimeBefore() async throws {
        try await TwoPeople.with { people in
            let (slot, device) = (people.anna.device.slot.rawValue, people.anna.device.device.rawValue)
            try await close(people, people.anna)
            try await erase(people)
            try await people.fixture.link(people.anna.device, to: people.ben.account)
            try await people.fixture.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                SELECT \(slot), 0, \(device), now() + n * interval '1 hour', now(), 7 FROM generate_series(-2, 1) n
                """)
            let seen = try await people.asGateway(
                of: people.ben, "SELECT count(*) FROM person_sample WHERE device_id = \(device)")
            #expect(seen == "2", "now and later, not before")
        }
    }

    /// An endpoint that was Ben's before it was Anna's stays in Ben's history, without its target.
    @Test func anEndpointThatMovedStaysInTheHistoryOfWhomItLeft() async throws {
        try await TwoPeople.with { people in
            let database = people.fixture.database
            try await database.sql(
                """
                UPDATE endpoint SET account_id = \(people.anna.account.rawValue), target = 'https://moved.anna.example.org'
                WHERE account_id = \(people.ben.account.rawValue)
                """)
            try await database.sql("UPDATE endpoint SET sealed_secret = '\\x0212'")
            try await close(people, people.anna)
            #expect(try await database.sql("SELECT sealed_secret = '' FROM endpoint") == "t", "the address lies there")
            let left = try await database.sql("SELECT account_id || ' ' || target FROM endpoint")
            #expect(left.hasPrefix("\(people.ben.account.rawValue) https://removed.invalid/"))
            #expect(try await database.sql("SELECT count(*) FROM usable_endpoint") == "0")
        }
    }

    @Test func nobodyClosesTheAccountOfAnother() async throws {
        try await TwoPeople.with { people in
            let close = "SELECT close_account(\(people.ben.account.rawValue))"
            for person in [people.anna, nil] {
                await #expect(throws: (any Error).self) { try await people.asGateway(of: person, close) }
            }
            let left = try await people.fixture.database.sql("SELECT count(*) FROM account WHERE kind = 'person'")
            #expect(left == "2")
        }
    }

    /// An alert that is being sent while the account is closed leaves no record of the attempt.
    @Test func anAttemptThatEndsAfterwardsIsNotRecorded() async throws {
        try await TwoPeople.with { people in
            let notifier = try await SchemaFixture.connect(people.fixture.database, .notifier)
            try await people.fixture.database.sql(
                "UPDATE alert SET state = 'decided'; DELETE FROM delivery_attempt; DELETE FROM delivery")
            let leased = try await notifier.execute(
                LeaseDeliveries(
                    slots: Slot.all, limit: 10, staleAfter: .seconds(60), lease: .seconds(60),
                    holder: LeaseHolder(rawValue: 1)))
            #expect(leased.count == 2)
            try await close(people, people.anna)
            try await notifier.perform(
                RecordAttempts(
                    leased.map {
                        .init(
                            key: $0.key, lease: $0.lease, state: .accepted, outcome: .accepted, nextAttemptAt: nil,
                            startedAt: $0.now, durationMicroseconds: 1, status: 200, registration: $0.registration,
                            detail: "")
                    }))
            let recorded = "SELECT count(*) FROM delivery_attempt"
            #expect(try await people.fixture.database.sql(recorded) == "1", "Ben's")
            await notifier.close()
        }
    }
}
