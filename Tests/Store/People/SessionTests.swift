import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Sessions begin with a checked password and end for good.
@Suite struct SessionTests {
    private static func hash(_ text: String) -> [UInt8] { TwoPeople.hash(text) }

    private func enters(_ people: TwoPeople, _ session: SessionID) async throws -> Bool {
        try await !people.gateway.execute(EnterSession(session)).isEmpty
    }

    private func refresh(
        _ people: TwoPeople, _ token: String, to successor: String, id: ClientID? = nil, name: String = "Safari",
        address: String = "198.51.100.0/24"
    ) async throws -> RefreshSession.Row {
        let client = SessionClient(id: id, name: name, address: address)
        let rows = try await people.gateway.execute(
            RefreshSession(
                hash: Self.hash(token), successorHash: Self.hash(successor), sealedSuccessor: Array(successor.utf8),
                client: client))
        return try #require(rows.first)
    }

    @Test func aSessionNamesItsPersonUntilItEnds() async throws {
        try await TwoPeople.with { people in
            let row = try await people.gateway.execute(EnterSession(people.anna.session)).first
            #expect(row?.account == people.anna.account)
            #expect(try await people.gateway.execute(EnterSession(SessionID(rawValue: 1))).isEmpty)
            for change in [
                "used_at = now() - interval '91 days'", "used_at = now(), created_at = now() - interval '401 days'",
            ] {
                try await people.fixture.database.sql("UPDATE session SET \(change)")
                #expect(try await !enters(people, people.anna.session), "\(change)")
                #expect(try await refresh(people, "anna-1", to: "anna-2").outcome == .unknown, "\(change)")
            }
        }
    }

    /// The password may change between the check and the opening.
    @Test func aSessionOpensOnlyForThePasswordThatWasChecked() async throws {
        try await TwoPeople.with { people in
            let open = OpenSession(
                people.anna.account, checkedHash: "scrypt$old", client: TwoPeople.client,
                refreshTokenHash: Self.hash("x"))
            let opened = try await people.gateway.execute(open)
            #expect(opened == [nil])
        }
    }

    @Test func aRefreshTokenIsUsedOnce() async throws {
        try await TwoPeople.with { people in
            let first = try await refresh(people, "anna-1", to: "anna-2")
            #expect(first.outcome == .renewed && first.session == people.anna.session)
            #expect(first.account == people.anna.account)
            // Two tabs, or a lost answer: both requests get the same successor, whichever one the second request
            // proposes.
            let second = try await refresh(people, "anna-1", to: "anna-3")
            #expect(second.outcome == .repeated && second.sealedSuccessor == Array("anna-2".utf8))
            #expect(try await refresh(people, "anna-3", to: "anna-4").outcome == .unknown)
            #expect(try await refresh(people, "anna-2", to: "anna-4").outcome == .renewed)
            #expect(try await enters(people, people.anna.session))
        }
    }

    /// A phone that changes networks repeats the request from another address; its installation id, a secret,
    /// identifies it.
    @Test func theSameInstallationRepeatsFromAnywhere() async throws {
        try await TwoPeople.with { people in
            let id = try #require(TwoPeople.client.id)
            _ = try await refresh(people, "anna-1", to: "anna-2", id: id)
            let again = try await refresh(
                people, "anna-1", to: "anna-3", id: id, name: "Other", address: "192.0.2.9/32")
            #expect(again.outcome == .repeated && again.sealedSuccessor == Array("anna-2".utf8))
            #expect(again.account == people.anna.account && again.session == people.anna.session)
        }
    }

    struct Return: Sendable {
        var id: ClientID?
        var name = "Safari"
        var address = "198.51.100.0/24"
        var after = "1 s"
    }

    @Test(arguments: [
        Return(after: "11 s"), Return(id: TwoPeople.client.id, after: "11 s"), Return(name: "Firefox"),
        Return(address: "198.51.101.0/24"), Return(id: ClientID(rawValue: 8)),
    ])
    func aTokenThatComesBackEndsItsSession(_ one: Return) async throws {
        try await TwoPeople.with { people in
            _ = try await refresh(people, "anna-1", to: "anna-2")
            try await people.fixture.database.sql(
                "UPDATE refresh_token SET used_at = now() - interval '\(one.after)' WHERE used_at IS NOT NULL")
            let again = try await refresh(
                people, "anna-1", to: "anna-3", id: one.id, name: one.name, address: one.address)
            #expect(again.outcome == .reused && again.sealedSuccessor == nil)
            #expect(try await !enters(people, people.anna.session))
            #expect(try await refresh(people, "anna-2", to: "anna-4").outcome == .unknown)
            #expect(try await enters(people, people.ben.session))
            // Ending a stolen session must not silence an alarm.
            let usable = try await people.fixture.database.sql("SELECT count(*) FROM usable_endpoint")
            #expect(usable == "2")
        }
    }

    @Test func twoRequestsWithOneTokenAtOnceGetOneSuccessor() async throws {
        try await TwoPeople.with { people in
            let outcomes = try await withThrowingTaskGroup(of: RefreshSession.Row.self) { group in
                for number in 1...4 {
                    group.addTask {
                        let connection = try await SchemaFixture.connect(people.fixture.database, .gateway)
                        let row = try await connection.execute(
                            RefreshSession(
                                hash: Self.hash("anna-1"), successorHash: Self.hash("next-\(number)"),
                                sealedSuccessor: [UInt8(number)], client: TwoPeople.client))
                        await connection.close()
                        return try #require(row.first)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.filter { $0.outcome == .renewed }.count == 1)
            #expect(outcomes.filter { $0.outcome == .repeated }.count == 3)
            #expect(Set(outcomes.map(\.sealedSuccessor)).count == 1)
        }
    }

    @Test func signingOutPausesTheClientsEndpointsAndSigningInResumesThem() async throws {
        try await TwoPeople.with { people in
            let usable = "SELECT string_agg(account_id::text, ',') FROM usable_endpoint"
            let ended = try await people.gateway.transaction { transaction in
                _ = try transaction.execute(EnterSession(people.anna.session))
                return try transaction.execute(EndSessions(of: people.anna.account, .only(people.anna.session)))
            }
            #expect(ended == [1])
            #expect(try await people.fixture.database.sql(usable) == "\(people.ben.account.rawValue)")
            let due = try await people.fixture.database.sql(
                """
                SELECT next_attempt_at <= now() FROM delivery WHERE account_id = \(people.anna.account.rawValue)
                """)
            #expect(due == "t", "a notifier ends it unsent")
            _ = try await TwoPeople.open(people.anna.account, "anna-9", people.gateway)
            #expect(try await people.fixture.database.sql("SELECT count(*) FROM usable_endpoint") == "2")
        }
    }

    @Test func endpointsOfAnotherClientGoOn() async throws {
        try await TwoPeople.with { people in
            let tablet = SessionClient(id: ClientID(rawValue: 8), name: "Tablet", address: "192.0.2.1/32")
            let other = try await TwoPeople.open(people.anna.account, "anna-8", client: tablet, people.gateway)
            _ = try await people.gateway.transaction { transaction in
                _ = try transaction.execute(EnterSession(other))
                return try transaction.execute(EndSessions(of: people.anna.account, .only(other)))
            }
            #expect(try await people.fixture.database.sql("SELECT count(*) FROM usable_endpoint") == "2")
            #expect(try await enters(people, people.anna.session))
        }
    }

    @Test func signingInAgainOnOneClientEndsTheFormerSession() async throws {
        try await TwoPeople.with { people in
            let next = try await TwoPeople.open(people.anna.account, "anna-2", people.gateway)
            #expect(try await !enters(people, people.anna.session))
            #expect(try await enters(people, next))
            #expect(try await people.fixture.database.sql("SELECT count(*) FROM usable_endpoint") == "2")
        }
    }

    @Test func aRefreshTokenSignsOutToo() async throws {
        try await TwoPeople.with { people in
            _ = try await refresh(people, "anna-1", to: "anna-2")
            #expect(try await people.gateway.execute(EndSessionOfToken(hash: Self.hash("anna-1"))) == [1])
            #expect(try await !enters(people, people.anna.session))
            let none = try await people.gateway.execute(EndSessionOfToken(hash: Self.hash("none")))
            #expect(none == [nil])
        }
    }

    @Test func aPersonHasFiftySessionsAtMost() async throws {
        try await TwoPeople.with { people in
            for number in 1...52 {
                let client = SessionClient(id: nil, name: "curl", address: "192.0.2.1/32")
                _ = try await TwoPeople.open(people.anna.account, "many-\(number)", client: client, people.gateway)
            }
            let rows = try await people.fixture.owner.execute(ListSessions(of: people.anna.account))
            let live = try await people.fixture.database.sql(
                "SELECT count(*) FROM session s WHERE account_id = \(people.anna.account.rawValue) AND is_live(s)")
            #expect(rows.count == 50 && live == "50")
        }
    }

    @Test func anotherPasswordEndsTheOtherSessions() async throws {
        try await TwoPeople.with { people in
            let tablet = SessionClient(id: ClientID(rawValue: 8), name: "Tablet", address: "192.0.2.1/32")
            let here = try await TwoPeople.open(people.anna.account, "anna-8", client: tablet, people.gateway)
            let replaced = try await people.gateway.transaction { transaction in
                _ = try transaction.execute(EnterSession(here))
                let wrong = ReplacePassword(
                    people.anna.account, checkedHash: "scrypt$old", nextHash: "scrypt$next", keeping: here)
                let right = ReplacePassword(
                    people.anna.account, checkedHash: "scrypt$test", nextHash: "scrypt$next", keeping: here)
                return try transaction.execute(wrong) + transaction.execute(right)
            }
            #expect(replaced == [false, true])
            #expect(try await enters(people, here))
            #expect(try await !enters(people, people.anna.session))
            let check = CheckPassword(of: people.anna.account, derivedHash: "scrypt$next")
            #expect(try await people.gateway.execute(check) == [true])
        }
    }

    /// A client whose session ended because its token was reused is no longer familiar: the thief knows its id.
    @Test func aSessionThatAThiefMayHaveHadMakesNobodyFamiliar() async throws {
        try await TwoPeople.with { people in
            func familiarity() async throws -> Bool {
                let find = FindFamiliarity(email: "anna@example.org", on: TwoPeople.client.id)
                return try await people.gateway.execute(find) == [true]
            }
            #expect(try await familiarity())
            try await people.fixture.database.sql(
                """
                UPDATE session SET ended_at = now(), ended_because = 'signedOut'
                WHERE account_id = \(people.anna.account.rawValue)
                """)
            #expect(try await familiarity(), "they were here")
            for because in ["reused", "endedByOperator"] {
                try await people.fixture.database.sql(
                    "UPDATE session SET ended_because = '\(because)' WHERE ended_at IS NOT NULL")
                #expect(try await !familiarity(), "\(because)")
            }
        }
    }
}
