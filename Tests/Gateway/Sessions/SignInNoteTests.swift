import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// A person hears by their ways of a sign-in from somewhere new.
@Suite struct SignInNoteTests {
    private static let own = "6f1c2a4e-0b7d-4c1e-9a39-1d2e3f405060"
    private static let other = "7a2d3b5f-1c8e-4d2f-8b4a-2e3f40516071"

    /// A person who has signed in once, with an endpoint of that installation and one of none.
    private static func with(
        _ body: @Sendable @escaping (GatewayUnderTest, GatewayUnderTest.Person) async throws -> Void
    ) async throws {
        try await GatewayUnderTest.with { gateway in
            let person = try await gateway.person("ada@example.org")
            _ = try await signIn(gateway, "ada@example.org", client: own)
            try await gateway.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, client_id)
                SELECT n, account_id, 'webhook', 'https://alerts.example/' || n, '\\x00',
                    CASE n WHEN 1 THEN '\(own)'::uuid WHEN 2 THEN '\(other)'::uuid END
                FROM account, generate_series(1, 3) n WHERE email = 'ada@example.org'
                """)
            try await body(gateway, person)
        }
    }

    private static let told = """
        SELECT coalesce(string_agg(format('%s to %s', a.kind, d.endpoint_id), ', ' ORDER BY a.alert_id, d.endpoint_id), '')
        FROM alert a JOIN delivery d USING (slot, alert_id)
        """

    @Test func `a new client is told to all ways but its own`() async throws {
        try await Self.with { gateway, _ in
            _ = try await signInReply(gateway, "ada@example.org", client: Self.other, headers: ["User-Agent": "Tank/2"])
            #expect(try await gateway.ask(Self.told) == "signIn to 1, signIn to 3")
            #expect(try await gateway.ask("SELECT about FROM alert") == "{Tank/2}")
        }
    }

    @Test func `a client that is known is not told`() async throws {
        try await Self.with { gateway, _ in
            _ = try await signIn(gateway, "ada@example.org", client: Self.own)
            #expect(try await gateway.ask(Self.told) == "")
        }
    }

    /// The client of somebody who was thrown out is no known one, whoever did it.
    @Test(arguments: ["reused", "passwordChanged", "endedByOperator"])
    func `a client that was thrown out is told when it comes back`(because: String) async throws {
        try await Self.with { gateway, _ in
            try await gateway.database.sql(
                "UPDATE session SET ended_at = now(), ended_because = '\(because)' WHERE ended_at IS NULL")
            _ = try await signIn(gateway, "ada@example.org", client: Self.own)
            #expect(try await gateway.ask(Self.told) == "signIn to 2, signIn to 3")
        }
    }

    /// Sessions of long ago are deleted: of an old account that has none left, any sign-in is new.
    @Test(arguments: [("1 hour", ""), ("2 days", "signIn to 2, signIn to 3")])
    func `the first session of a new account is not told`(age: String, told: String) async throws {
        try await Self.with { gateway, _ in
            try await gateway.database.sql(
                "DELETE FROM refresh_token; DELETE FROM session; UPDATE account SET created_at = now() - interval '\(age)'"
            )
            _ = try await signIn(gateway, "ada@example.org", client: Self.own)
            #expect(try await gateway.ask(Self.told) == told)
        }
    }

    @Test func `a wrong password is told to nobody`() async throws {
        try await Self.with { gateway, _ in
            let reply = try await signInReply(
                gateway, "ada@example.org", password: "not the password", client: Self.other)
            #expect(reply.status == 401)
            #expect(try await gateway.ask(Self.told) == "")
        }
    }

    @Test func `at most five sign-ins a day are told`() async throws {
        try await Self.with { gateway, _ in
            for number in 0..<8 {
                _ = try await signIn(gateway, "ada@example.org", client: "00000000-0000-4000-8000-00000000000\(number)")
            }
            #expect(try await gateway.ask("SELECT count(*) FROM alert WHERE kind = 'signIn'") == "5")
        }
    }

    @Test func `the note is in the list of alerts, in words`() async throws {
        try await Self.with { gateway, person in
            _ = try await signIn(gateway, "ada@example.org", client: Self.other)
            let reply = try await gateway.request(.GET, "/api/v1/alerts", token: person.token)
            let note = try #require(reply.json?["items"]?.array?.first)
            #expect(note["kind"]?.string == "signIn" && note["purpose"]?.string == "note")
            #expect(note["title"]?.string == "A new sign-in to your account")
            #expect(note["device"]?.string == nil)
        }
    }
}
