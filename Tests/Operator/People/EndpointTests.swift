import Foundation
import Secrets
import TestSupport
import Testing

@testable import Operator

@Suite struct EndpointTests {
    private let url = "https://alerts.example.org/ada"

    @Test func anEndpointIsAddedWithASealedSecret() async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person)
            let added = try await instance.succeed(
                instance.aqua("endpoint", "add", Instance.person, "--webhook", url, "--json"))
            let secret = try #require(WebhookSecret(added.field("secret")))
            #expect(try added.field("host") == "alerts.example.org")
            let opened = try await instance.openEndpoint(added.field("endpoint"))
            #expect(opened == EndpointSecret(address: url, secret: secret.bytes))
        }
    }

    @Test func registeredAgainItHasANewSecret() async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person)
            let first = try await instance.succeed(
                instance.aqua("endpoint", "add", Instance.person, "--webhook", url, "--json"))
            try await instance.database.sql(
                "INSERT INTO endpoint_retirement SELECT 3, endpoint_id, registration, now(), 'gone' FROM endpoint")
            #expect(try await instance.database.sql("SELECT count(*) FROM usable_endpoint") == "0")
            let again = try await instance.succeed(
                instance.aqua("endpoint", "add", Instance.person, "--webhook", url, "--json"))
            #expect(try again.field("before") == "theirs")
            #expect(try first.field("secret") != again.field("secret"))
            #expect(try first.field("endpoint") == again.field("endpoint"))
            #expect(try await instance.database.sql("SELECT count(*) FROM usable_endpoint") == "1")
        }
    }

    /// Otherwise anybody who knows an address could take its owner's alerts away.
    @Test(arguments: [true, false])
    func anothersAddressIsRefusedUntilItIsRetiredOrRemoved(_ isRetired: Bool) async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person, "bob@example.org")
            let first = try await instance.succeed(
                instance.aqua("endpoint", "add", Instance.person, "--webhook", url, "--json"))
            let number = try first.field("endpoint")
            let refused = await instance.aqua("endpoint", "add", "bob@example.org", "--webhook", url)
            #expect(refused.code == 1)
            #expect(
                refused.errors
                    == "aqua: This address is another person's, endpoint \(number). If it is theirs no more, run: aqua endpoint remove \(number)\n"
            )
            let owner = "SELECT email FROM usable_endpoint JOIN account USING (account_id)"
            #expect(try await instance.database.sql(owner) == Instance.person)
            #expect(try await instance.openEndpoint(number).secret == WebhookSecret(first.field("secret"))?.bytes)
            if isRetired {
                try await instance.database.sql(
                    "INSERT INTO endpoint_retirement SELECT 3, endpoint_id, registration, now(), 'gone' FROM endpoint")
            } else {
                let removed = try await instance.succeed(instance.aqua("endpoint", "remove", number))
                #expect(removed.output == "Removed endpoint \(number) (alerts.example.org) of ada@example.org.\n")
                #expect(await instance.aqua("endpoint", "remove", number).code == 1)
            }
            let moved = try await instance.succeed(
                instance.aqua("endpoint", "add", "bob@example.org", "--webhook", url, "--json"))
            #expect(try moved.field("before") == "anothers")
            #expect(try await instance.database.sql(owner) == "bob@example.org")
        }
    }

    @Test func whatIsOnItsWayToARemovedOneComesDueToBeEnded() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.openEpisode()
            try await instance.database.sql(
                "UPDATE delivery SET next_attempt_at = now() + interval '5 min' WHERE state = 'pending'")
            let number = try await instance.database.sql(
                "SELECT min(endpoint_id) FROM delivery WHERE state = 'pending'")
            try await instance.succeed(instance.aqua("endpoint", "remove", number))
            #expect(
                try await instance.database.sql(
                    "SELECT bool_and(next_attempt_at <= now()) FROM delivery WHERE state = 'pending'") == "t")
        }
    }

    @Test func aPersonHasAtMostTwentyUsableOnes() async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person)
            for number in 1...WebhookRegistration.mostPerPerson {
                try await instance.succeed(
                    instance.aqua("endpoint", "add", Instance.person, "--webhook", "\(url)/\(number)"))
            }
            let another = await instance.aqua("endpoint", "add", Instance.person, "--webhook", "\(url)/21")
            #expect(another.code == 1)
            #expect(another.errors.contains("ada@example.org has 20 endpoints, which is as many as a person may have."))
            // An existing endpoint may get a new secret, and a retired one makes room.
            try await instance.succeed(instance.aqua("endpoint", "add", Instance.person, "--webhook", "\(url)/20"))
            try await instance.database.sql(
                "UPDATE endpoint SET retired_at = now(), retired_because = 'gone' WHERE endpoint_id = (SELECT min(endpoint_id) FROM endpoint)"
            )
            try await instance.succeed(instance.aqua("endpoint", "add", Instance.person, "--webhook", "\(url)/21"))
        }
    }

    @Test(arguments: [
        ("http://alerts.example.org/", "https://"), ("https://127.0.0.1/", "AQUA_PUSH_ALLOW"),
        ("https://user:word@example.org/", "user name"),
        ("ftp://example.org", "https://"), ("https://example.org:8443/", "AQUA_PUSH_ALLOW"),
        ("nonsense", "web address"),
    ])
    func addressesThatAreNotPermitted(_ address: String, _ message: String) async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person)
            let run = await instance.aqua("endpoint", "add", Instance.person, "--webhook", address)
            #expect(run.code == 1)
            #expect(run.errors.contains(message))
        }
    }

    @Test func theOperatorPermitsOthers() async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person)
            let allow = ["AQUA_PUSH_ALLOW": "127.0.0.1/32:9000" as String?]
            try await instance.succeed(
                instance.aqua("endpoint", "add", Instance.person, "--webhook", "http://127.0.0.1:9000/", changes: allow)
            )
            let other = await instance.aqua(
                "endpoint", "add", Instance.person, "--webhook", "http://127.0.0.1:9001/", changes: allow)
            #expect(other.code == 1)
        }
    }

    @Test func aTestNeedsAnEndpoint() async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person)
            let run = await instance.aqua("endpoint", "test", Instance.person)
            #expect(run.code == 1)
            #expect(
                run.errors
                    == "aqua: ada@example.org has no endpoint. Add one: aqua endpoint add ada@example.org --webhook URL\n"
            )
        }
    }

    @Test func aTestThatNoNotifierTakesIsWithdrawn() async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person)
            try await instance.succeed(instance.aqua("endpoint", "add", Instance.person, "--webhook", url))
            let run = await instance.aqua("endpoint", "test", Instance.person, patience: .seconds(15))
            #expect(run.code == 1)
            #expect(
                run.output.contains("No notifier took the test, and it was withdrawn.\n  Is aqua-notifier running?"))
            #expect(try await instance.database.sql("SELECT state FROM alert") == "cancelled")
        }
    }

    @Test(arguments: [
        ("accepted", "accepted", "204", "", "accepted, HTTP status 204"),
        ("pending", "retry", "NULL", "no connection", "Look whether the receiver runs"),
        ("pending", "retry", "503", "", "It answered 503, and is tried again"),
        ("pending", "retry", "401", "", "It answered 401, and is tried again until the alert is stale. Does it verify"),
        ("pending", "retry", "403", "", "Does it verify with the right secret?"),
        ("failed", "gone", "410", "", "Add it again when the receiver is back."),
        ("pending", "refused", "NULL", "the name leads to an address that must not be called", "AQUA_PUSH_ALLOW"),
        ("pending", "refused", "NULL", "the stored secret is malformed", "sent: the stored secret is malformed. Mend"),
        ("pending", "ambiguous", "NULL", "", "did not answer"),
    ])
    func aTestTellsWhatHappenedAtTheFirstAttempt(
        _ state: String, _ outcome: String, _ status: String, _ detail: String, _ message: String
    ) async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person)
            try await instance.succeed(instance.aqua("endpoint", "add", Instance.person, "--webhook", url))
            async let run = instance.aqua("endpoint", "test", Instance.person)
            try await instance.notify(state: state, outcome: outcome, status: status, detail: detail)
            let told = await run
            #expect(told.code == (outcome == "accepted" ? 0 : 1))
            #expect(told.output.contains("(webhook at alerts.example.org): \(outcome)"))
            #expect(told.output.contains(message))
            #expect(told.output.contains("AQUA_PUSH_ALLOW") == (message == "AQUA_PUSH_ALLOW"))
            #expect(told.output.contains("receiver runs") == (status == "NULL" && outcome == "retry"))
            #expect(!told.output.contains("/ada"))
        }
    }

    @Test func leasesThatWereGivenBackAreNoAttempts() async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person)
            try await instance.succeed(instance.aqua("endpoint", "add", Instance.person, "--webhook", url))
            async let run = instance.aqua("endpoint", "test", Instance.person, "--json")
            try await instance.notify(state: "accepted", outcome: "accepted", status: "204", detail: "")
            #expect(await run.output.contains(#""attempts" : 1,"#))
        }
    }
}

extension Instance {
    func openEndpoint(_ endpoint: String) async throws -> EndpointSecret {
        let hexadecimal = try await database.sql(
            "SELECT encode(sealed_secret, 'hex') FROM endpoint WHERE endpoint_id = \(endpoint)")
        let digits = Array(hexadecimal)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0..<$0 + 2]), radix: 16)
        }
        let text = try String(contentsOfFile: file("secret-key"), encoding: .utf8).trimmingCharacters(in: .newlines)
        guard let key = SecretKey(text), let number = Int64(endpoint) else { throw TestSupportError("no key") }
        return try SecretKeys(key).openEndpoint(
            SealedSecret(stored: bytes), channel: "webhook", number: number
        ).endpoint
    }

    /// Acts as notifiers: two lease the test alert and give it back, one attempts it and records the result.
    func notify(state: String, outcome: String, status: String, detail: String) async throws {
        let database = database
        try await awaitFact("a test alert") {
            try await database.sql("SELECT 1 FROM alert WHERE state = 'decided'") == "1" ? true : nil
        }
        try await database.sql(
            """
            BEGIN;
            UPDATE alert SET state = 'sending';
            INSERT INTO delivery (slot, attempts, tries, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
                SELECT slot, 3, 1, a.account_id, alert_id, endpoint_id, '\(state)', now() + interval '1 h',
                    CASE '\(state)' WHEN 'pending' THEN NULL ELSE now() END FROM alert a, endpoint;
            INSERT INTO delivery_attempt
                SELECT slot, 3, \(status), alert_id, endpoint_id, now(), 1000, '\(outcome)', '\(detail)'
                FROM alert, endpoint;
            SELECT pg_notify('delivery', slot || '/' || alert_id) FROM alert;
            COMMIT;
            """)
    }
}
