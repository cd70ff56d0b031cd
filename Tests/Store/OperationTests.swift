import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// The database itself lets nobody but operators read what is theirs, whatever the Gateway asks.
@Suite struct OperationTests {
    private static let calls = [
        "operation_figures()", "operation_tallies()", "operation_findings()", "operation_accounts('', '', 10)",
        "operation_devices('', '', 10)", "operation_changes(NULL, NULL, NULL, NULL, 10)",
        "end_sessions_as_operator('nobody@example.org')",
    ]

    /// The number of functions that answer to a person who has entered, after what else is done in the transaction.
    private static func answers(_ people: TwoPeople, of person: TwoPeople.Person?, _ more: String) async throws -> Int {
        var count = 0
        for call in calls {
            do {
                _ = try await people.asGateway(of: person, "\(more);\nSELECT count(*) FROM \(call)")
                count += 1
            } catch let error as TestSupportError {
                #expect(error.description.contains("no operator is named"), "\(call): \(error)")
            }
        }
        return count
    }

    @Test func `each function asks for an operator, in a session of theirs that is fresh`() async throws {
        try await TwoPeople.with { people in
            let (anna, ben) = (people.anna, people.ben)
            let named = "SELECT name_session('\(anna.session)')"
            #expect(try await Self.answers(people, of: anna, named) == 0, "Anna operates nothing")
            try await people.fixture.database.sql(
                "UPDATE account SET operates = true WHERE account_id = \(anna.account.rawValue)")
            #expect(try await Self.answers(people, of: anna, named) == Self.calls.count)
            #expect(try await Self.answers(people, of: nil, "SELECT 1") == 0)
            #expect(try await Self.answers(people, of: anna, "SELECT 1") == 0, "no session is named")
            let stolen = "SET LOCAL aqua.session = '\(anna.session)'"
            #expect(try await Self.answers(people, of: ben, stolen) == 0, "the session is Anna's")
            #expect(try await Self.answers(people, of: nil, stolen) == 0)
            try await people.fixture.database.sql("UPDATE session SET created_at = now() - interval '11 minutes'")
            #expect(try await Self.answers(people, of: anna, named) == 0, "it is not fresh")
            try await people.fixture.database.sql(
                "UPDATE session SET created_at = now(); UPDATE account SET operates = false")
            #expect(try await Self.answers(people, of: anna, named) == 0)
        }
    }

    /// An entry is found by its account, the device's owner, who did it and its device; each time once, in the order of the log.
    @Test func `the log is found by whom and what it concerns, each entry once`() async throws {
        try await TwoPeople.with { people in
            let (anna, ben) = (people.anna.account.rawValue, people.ben.account.rawValue)
            let device = people.ben.device.device.rawValue
            try await people.fixture.database.sql(
                """
                UPDATE account SET operates = true WHERE account_id = \(anna);
                INSERT INTO audit_entry (action, actor, actor_id, account_id, owner_id, device_id, subject) VALUES
                    ('bound.change', 'account', \(ben), \(ben), NULL, \(device), 'a'),
                    ('bound.change', 'account', \(anna), \(anna), \(ben), \(device), 'b'),
                    ('bound.change', 'account', \(ben), \(anna), NULL, NULL, 'c'),
                    ('bound.change', 'account', \(anna), \(anna), NULL, NULL, 'd'),
                    ('retention.change', 'account', \(ben), \(ben), \(ben), NULL, 'e')
                """)
            let read = "SELECT email FROM account WHERE account_id = \(ben)"
            let email = try await people.fixture.database.sql(read)
            let hardware = try await people.fixture.database.sql(
                "SELECT hardware_id FROM device WHERE device_id = \(device)")
            func found(_ arguments: String) async throws -> String {
                try await people.asGateway(
                    of: people.anna,
                    """
                    SELECT name_session('\(people.anna.session)') \\gset
                    SELECT coalesce(string_agg(subject, '' ORDER BY place), '')
                    FROM operation_changes(\(arguments)) WITH ORDINALITY AS c (
                        entry_id, at, action, outcome, times, actor, actor_name, hardware_id, parameter, target, subject, changes,
                        session_id, request, network, client, account, is_own, place)
                    """)
            }
            #expect(try await found("NULL, NULL, NULL, 'bound', 10") == "dcba")
            #expect(try await found("NULL, NULL, NULL, 'bound.change', 2") == "dc")
            #expect(try await found("NULL, '\(email)', NULL, 'bound', 10") == "cba")
            #expect(try await found("NULL, '\(email)', NULL, 'retention', 10") == "e")
            #expect(try await found("NULL, NULL, '\(hardware)', 'bound', 10") == "ba")
            #expect(try await found("NULL, '\(email)', '\(hardware)', 'bound', 10") == "ba")
            #expect(try await found("NULL, 'nobody@example.org', NULL, NULL, 10") == "")
            #expect(try await found("NULL, NULL, 'nothing', NULL, 10") == "")
            let first = try await people.fixture.database.sql(
                "SELECT entry_id FROM audit_entry WHERE subject = 'c' AND action = 'bound.change'")
            #expect(try await found("\(first), '\(email)', NULL, 'bound', 10") == "ba")
        }
    }

    /// The provider's word counts for whoever is at the provider who the session says, and only where the tool lets it.
    @Test func `a Gateway that says somebody operates is believed in a session of the provider's alone`() async throws {
        try await TwoPeople.with { people in
            let anna = people.anna
            let word =
                "SELECT take_providers_word('\(anna.session)', 'https://id.example', '\(anna.account.rawValue)', true)"
            func operates(_ person: TwoPeople.Person, _ said: String) async throws -> Bool {
                _ = try await people.asGateway(of: person, said)
                return try await people.asGateway(of: person, "SELECT operates('\(person.session)')") == "t"
            }
            #expect(try await !operates(anna, word), "the tool does not let it")
            try await people.fixture.database.sql("UPDATE operation SET provider_gives = true")
            #expect(try await !operates(anna, word), "the password opened it")
            try await people.fixture.database.sql(
                """
                INSERT INTO account_identity (account_id, issuer, subject) SELECT account_id, 'https://op.example', account_id::text
                FROM account WHERE kind = 'person';
                UPDATE session s SET identity_id = i.identity_id FROM account_identity i
                WHERE i.account_id = s.account_id AND i.issuer = 'https://op.example'
                """)
            #expect(try await !operates(anna, word), "another provider's")
            let right = word.replacing("https://id.example", with: "https://op.example")
            #expect(try await operates(anna, right))
            let theirs = right.replacing("\(anna.session)", with: "\(people.ben.session)")
            _ = try await people.asGateway(of: anna, theirs)
            #expect(try await !operates(people.ben, "SELECT 1"), "Anna says nothing of Ben")
            #expect(try await !operates(anna, right.replacing("true", with: "false")))
            #expect(try await !operates(anna, right.replacing("true", with: "NULL")))
            try await people.fixture.database.sql(
                """
                INSERT INTO audit_entry (action, actor, account_id)
                SELECT 'operator.give', 'system', \(anna.account.rawValue) FROM generate_series(1, 100)
                """)
            #expect(try await !operates(anna, right), "a hundred times a day are enough")
        }
    }
}
