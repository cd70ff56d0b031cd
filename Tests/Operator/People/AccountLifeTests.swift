import Secrets
import TestSupport
import Testing

@testable import Operator

/// Help from the operator for people who cannot help themselves.
@Suite struct AccountLifeTests {
    private static let next = "another correct horse battery"

    /// Where the house takes no passwords: for hours, of which the database counts the end.
    @Test func aPersonIsLetInByThePasswordForAWhile() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let lets = "SELECT password_lets_in(account_id) FROM account"
            #expect(try await instance.database.sql(lets) == "f")
            let run = await instance.aqua("account", "let-in", Instance.person, "--hours", "4")
            #expect(run.output.hasPrefix("\(Instance.person) is let in by the password until "), "\(run.output)")
            #expect(try await instance.database.sql(lets) == "t")
            let bounded =
                "SELECT password_until BETWEEN now() + interval '3 hours' AND now() + interval '4 hours' FROM account"
            #expect(try await instance.database.sql(bounded) == "t")
            _ = await instance.aqua("account", "let-in", Instance.person, "--hours", "0")
            #expect(try await instance.database.sql(lets) == "f")
            // Whoever has come in by the provider alone needs a password first, which is a command's, too.
            try await instance.database.sql("UPDATE account SET password_hash = NULL")
            let without = await instance.aqua("account", "let-in", Instance.person)
            #expect(without.output.contains("aqua account password"), "\(without.output)")
            _ = await instance.aqua("account", "password", Instance.person, input: Self.next)
            let stored = try await instance.database.sql("SELECT password_hash FROM account")
            #expect(try #require(PasswordHash(stored: stored)).matches(Self.next))
        }
    }

    @Test func anotherPasswordSignsThePersonOut() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.signIn(Instance.person)
            let run = await instance.aqua("account", "password", Instance.person, input: Self.next)
            #expect(run.output == "\(Instance.person) has another password, and is signed out everywhere.\n")
            let stored = try await instance.database.sql("SELECT password_hash FROM account")
            #expect(try #require(PasswordHash(stored: stored)).matches(Self.next))
            let live = try await instance.database.sql("SELECT count(*) FROM session s WHERE is_live(s)")
            #expect(live == "0")
            let short = await instance.aqua("account", "password", Instance.person, input: "too short")
            #expect(short.code == 1 && short.errors.contains("at least 15 characters"))
        }
    }

    @Test func sessionsAreListedAndEnded() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let none = await instance.aqua("account", "sessions", Instance.person)
            #expect(none.output == "\(Instance.person) is signed in nowhere.\n")
            let first = try await instance.signIn(Instance.person)
            try await instance.signIn(Instance.person)
            let listed = await instance.aqua("account", "sessions", Instance.person)
            #expect(listed.output.contains(first) && listed.output.contains("from 192.0.2.0/24  Safari"))
            let ended = await instance.aqua("account", "sessions", Instance.person, "--end", first)
            #expect(ended.output.hasPrefix("Ended 1 of the sessions") && !ended.output.contains(first))
            let again = await instance.aqua("account", "sessions", Instance.person, "--end", first)
            #expect(again.code == 1 && again.errors.contains("has no session \(first)"))
            let all = try await instance.succeed(
                instance.aqua("account", "sessions", Instance.person, "--end-all"))
            #expect(all.output.contains("is signed in nowhere"))
        }
    }

    @Test func anInvitationIsShownOnceAndCanBeTakenBack() async throws {
        try await Instance.with { instance in
            let invited = try await instance.succeed(
                instance.aqua("account", "invite", "--email", "Eve@Example.org", "--days", "3", "--json"))
            let token = try #require(SignUpInvitation(try invited.field("invitation")))
            let hash = token.hash.map { String($0 / 16, radix: 16) + String($0 % 16, radix: 16) }.joined()
            let stored = try await instance.database.sql(
                """
                SELECT encode(token_hash, 'hex') || ' ' || email || ' ' || (expires_at - created_at)
                FROM account_invitation
                """)
            #expect(stored == "\(hash) eve@example.org 3 days")
            let listed = await instance.aqua("account", "invitations")
            #expect(listed.output.contains("  open  ") && !listed.output.contains(token.text))
            let id = try invited.field("id")
            let revoked = await instance.aqua("account", "invitations", "--revoke", id)
            #expect(revoked.output == "There are no invitations.\n")
            #expect(await instance.aqua("account", "invitations", "--revoke", id).code == 1)
            #expect(await instance.aqua("account", "invite", "--days", "0").code == 64)
        }
    }

    @Test func anInvitationHasItsAddressWhereThatIsKnown() async throws {
        try await Instance.with { instance in
            let plain = try await instance.succeed(instance.aqua("account", "invite"))
            #expect(!plain.output.contains("sign-up"))
            let address = ["AQUA_PUBLIC_URL": "https://water.example"]
            let json = try await instance.succeed(instance.aqua("account", "invite", "--json", changes: address))
            #expect(try json.field("url") == "https://water.example/sign-up#\(try json.field("invitation"))")
            let text = try await instance.succeed(instance.aqua("account", "invite", changes: address))
            #expect(text.output.contains("\nThe person opens https://water.example/sign-up#aqi_"))
            #expect(text.output.contains("\nNote it now"))
        }
    }

    @Test func anAccountIsDeletedWithEverythingOfThePerson() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.signIn(Instance.person)
            let unsure = await instance.aqua("account", "delete", Instance.person, "--confirm", "eve@example.org")
            #expect(unsure.code == 64)
            let run = await instance.aqua("account", "delete", Instance.person, "--confirm", Instance.person)
            #expect(run.output.hasPrefix("Deleted \(Instance.person) and everything of theirs.\nClaim code of "))
            let left = try await instance.database.sql(
                """
                SELECT (SELECT count(*) FROM account) || ' ' || (SELECT count(*) FROM ownership) || ' '
                    || (SELECT count(*) FROM setting) || ' ' || (SELECT count(*) FROM session) || ' '
                    || (SELECT count(*) FROM device)
                """)
            #expect(left == "0 0 0 0 1")
            let again = await instance.aqua("account", "delete", Instance.person, "--confirm", Instance.person)
            #expect(again.code == 1 && again.errors.contains("There is no account"))
        }
    }
}

extension Instance {
    /// Opens a session as the Gateway does.
    @discardableResult
    func signIn(_ person: String) async throws -> String {
        try await database.sql(
            """
            SELECT open_session(account_id, password_hash, NULL, 'Safari', '192.0.2.0/24',
                sha256(convert_to(random()::text, 'UTF8'))) FROM account WHERE email = '\(person)'
            """)
    }
}
