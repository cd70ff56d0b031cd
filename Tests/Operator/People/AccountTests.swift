import Secrets
import TestSupport
import Testing

@testable import Operator

@Suite struct AccountTests {
    @Test func anAccountIsAddedOnce() async throws {
        try await Instance.with { instance in
            let added = await instance.aqua(
                "account", "add", "Ada@Example.org", "--locale", "es", "--zone", "europe/madrid")
            #expect(added.code == 0)
            #expect(added.output == "Added ada@example.org (language es, time zone Europe/Madrid).\n")
            let stored = try await instance.database.sql(
                "SELECT password_hash FROM account WHERE email = 'ada@example.org'")
            let hash = try #require(PasswordHash(stored: stored))
            #expect(hash.matches(Instance.password))

            let again = await instance.aqua("account", "add", "ada@example.org")
            #expect(again.code == 1)
            #expect(again.errors == "aqua: There is an account of ada@example.org already; nothing was changed.\n")
        }
    }

    @Test func whatIsGivenIsShownAsJSON() async throws {
        try await Instance.with { instance in
            let added = try await instance.succeed(instance.aqua("account", "add", "ada@example.org", "--json"))
            #expect(try added.field("email") == "ada@example.org")
            #expect(try added.field("timeZone") == "UTC")
        }
    }

    @Test func refusalsSayWhatToDo() async throws {
        try await Instance.with { instance in
            let zone = await instance.aqua("account", "add", "ada@example.org", "--zone", "Mars/Olympus")
            #expect(zone.code == 1)
            #expect(zone.errors.contains("There is no time zone Mars/Olympus. Write an IANA name"))
            let locale = await instance.aqua("account", "add", "ada@example.org", "--locale", "fr")
            #expect(locale.code == 64)
            let short = await instance.aqua("account", "add", "ada@example.org", input: "too short")
            #expect(short.code == 1)
            #expect(short.errors.contains("at least 15 characters"))
            let absent = await instance.aqua("account", "add", "ada@example.org", input: "")
            #expect(absent.errors.contains("There is no password on standard input"))
            let count = try await instance.database.sql("SELECT count(*) FROM account")
            #expect(count == "0")
        }
    }
}
