import Instants
import Postgres
import Store
import Synchronization
import TestSupport
import Testing
import WaterQuality

@testable import Gateway
@testable import Operator

/// Personal tokens, invitations to open an account, idempotency keys and settings.
@Suite struct TokenTests {
    @Test func aTokenNamesItsPersonUntilItIsRevokedOrExpires() async throws {
        try await TwoPeople.with { people in
            let enter = EnterToken(hash: TwoPeople.hash("anna-token"))
            let row = try #require(try await people.gateway.execute(enter).first)
            #expect(row.account == people.anna.account && row.scope == .known(.read))
            let used = "SELECT count(*) FROM personal_token WHERE used_on IS NOT NULL"
            #expect(try await people.fixture.database.sql(used) == "1")
            #expect(try await people.gateway.execute(EnterToken(hash: TwoPeople.hash("none"))).isEmpty)
            try await people.fixture.database.sql(
                "UPDATE personal_token SET created_at = now() - interval '2 days', expires_at = now() - interval '1 s'")
            #expect(try await people.gateway.execute(enter).isEmpty)
            try await people.fixture.database.sql("UPDATE personal_token SET expires_at = NULL")
            let revoked = try await people.gateway.transaction { transaction in
                _ = try transaction.execute(enter)
                let foreign = try transaction.perform(RevokePersonalToken(of: people.ben.account, row.token))
                return (foreign, try transaction.perform(RevokePersonalToken(of: people.anna.account, row.token)))
            }
            #expect(revoked == (0, 1))
            #expect(try await people.gateway.execute(enter).isEmpty)
            #expect(try await !people.gateway.execute(EnterToken(hash: TwoPeople.hash("ben-token"))).isEmpty)
        }
    }

    @Test func aReadOnlyTransactionEntersByATokenToo() async throws {
        try await TwoPeople.with { people in
            let rows = try await people.gateway.transaction(TransactionOptions(isReadOnly: true)) {
                try $0.execute(EnterToken(hash: TwoPeople.hash("anna-token")))
            }
            #expect(rows.count == 1)
        }
    }

    private static func add(
        _ number: Int, most: Int, _ transaction: PostgresTransaction, to person: TwoPeople.Person
    ) throws -> Int {
        _ = try transaction.execute(EnterSession(person.session))
        try transaction.perform(LockAccount(person.account))
        return try transaction.execute(
            AddPersonalToken(
                of: person.account, hash: TwoPeople.hash("t-\(number)"), name: "CI", scope: .write, lastFour: "abcd",
                expiresAt: nil, most: most)
        ).count
    }

    @Test func aPersonHasSoManyTokensAtMost() async throws {
        try await TwoPeople.with { people in
            let added = try await people.gateway.transaction { transaction in
                try (1...6).map { try Self.add($0, most: 5, transaction, to: people.anna) }.reduce(0, +)
            }
            #expect(added == 4, "one was there before")
        }
    }

    /// A request that waited for the account's lock counts the rows added meanwhile.
    @Test func twoAtOnceDoNotGoPastTheLimit() async throws {
        try await TwoPeople.with { people in
            let other = try await SchemaFixture.connect(people.fixture.database, .gateway)
            let late = Mutex<Task<Int, any Error>?>(nil)
            let first = try await people.gateway.transaction { transaction in
                let added = try Self.add(1, most: 2, transaction, to: people.anna)
                late.withLock {
                    $0 = Task { try await other.transaction { try Self.add(2, most: 2, $0, to: people.anna) } }
                }
                // Until the other transaction waits for this one.
                let end = ContinuousClock.now + .seconds(20)
                while try transaction.execute(CountWaiting()) == [0], .now < end {}
                return added
            }
            #expect(first == 1)
            #expect(try await late.withLock(\.self)?.value == 0)
            await other.close()
        }
    }

    private struct CountWaiting: Statement {
        static let sql = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        static func decode(_ row: inout RowReader) throws -> Int64 { try row.read() }
    }

    private func open(
        _ people: TwoPeople, _ name: String, _ invitation: String?
    ) async throws -> OpenAccount.Outcome {
        let rows = try await people.gateway.execute(
            OpenAccount(
                email: "\(name)@example.org", passwordHash: "scrypt$test", locale: "ja", timeZone: "Asia/Tokyo",
                invitation: invitation.map(TwoPeople.hash)))
        return try #require(rows.first).outcome
    }

    @Test func anInvitationOpensOneAccount() async throws {
        try await TwoPeople.with { people in
            for (name, email) in [("anybody", nil), ("carla", "carla@example.org"), ("late", nil), ("spent", nil)] {
                _ = try await people.fixture.owner.execute(
                    AddAccountInvitation(hash: TwoPeople.hash(name), email: email, lifetime: .seconds(86_400)))
            }
            try await people.fixture.database.sql(
                """
                UPDATE account_invitation SET created_at = now() - interval '2 days', expires_at = now()
                WHERE token_hash = decode('\(TwoPeople.hash("late").map { String($0, radix: 16) }
                    .map { $0.count == 1 ? "0" + $0 : $0 }.joined())', 'hex')
                """)
            #expect(try await open(people, "dora", "none") == .refused)
            #expect(try await open(people, "dora", "late") == .refused)
            #expect(try await open(people, "dora", "carla") == .refused)
            #expect(try await open(people, "anna", "spent") == .taken)
            #expect(
                try await open(people, "dora", "spent") == .refused, "it told of one address, and tells of no other")
            #expect(try await open(people, "carla", "carla") == .opened)
            #expect(try await open(people, "dora", "anybody") == .opened)
            #expect(try await open(people, "emil", "anybody") == .refused)
            #expect(try await open(people, "emil", nil) == .opened)
            let look = LookAtAccountInvitation(hash: TwoPeople.hash("anybody"))
            #expect(try await people.gateway.execute(look).map(\.state) == [.used])
            let listed = try await people.fixture.owner.execute(ListAccountInvitations(limit: 10))
            #expect(Set(listed.compactMap(\.usedBy)) == ["carla@example.org", "dora@example.org"])
            let late = try #require(listed.first { $0.state == .expired })
            #expect(try await people.fixture.owner.perform(RevokeAccountInvitation(late.invitation)) == 1)
        }
    }

    @Test func aKeyIsClaimedOnceAndKeepsItsAnswer() async throws {
        try await TwoPeople.with { people in
            let account = people.anna.account
            let claims = Mutex<[Timestamp]>([])
            func claim(_ fingerprint: String, of person: TwoPeople.Person? = nil) async throws -> String {
                try await people.gateway.transaction { transaction in
                    let person = person ?? people.anna
                    _ = try transaction.execute(EnterSession(person.session))
                    let claim = ClaimIdempotencyKey(
                        person.account, key: "once", fingerprint: TwoPeople.hash(fingerprint))
                    let row = try transaction.execute(claim).first ?? .running
                    guard case .claimed(let time) = row else { return "\(row)" }
                    claims.withLock { $0.append(time) }
                    return "claimed"
                }
            }
            #expect(try await claim("a") == "claimed")
            #expect(try await claim("a") == "running")
            #expect(try await claim("b") == "otherRequest")
            #expect(try await claim("a", of: people.ben) == "claimed", "keys are a person's own")
            func complete(_ time: Timestamp) async throws -> Int {
                try await people.gateway.transaction { transaction in
                    _ = try transaction.execute(EnterSession(people.anna.session))
                    return try transaction.perform(
                        CompleteIdempotencyKey(
                            account, key: "once", claimedAt: time, status: 201, sealedAnswer: [1, 2]))
                }
            }
            let first = claims.withLock { $0[0] }
            try await people.fixture.database.sql(
                "UPDATE idempotency_key SET created_at = now() - interval '2 minutes' WHERE account_id = \(account.rawValue)"
            )
            #expect(try await claim("a") == "claimed", "a claim is taken over after a minute")
            #expect(try await complete(first) == 0, "the former holder creates nothing")
            try await people.gateway.transaction { transaction in
                _ = try transaction.execute(EnterSession(people.anna.session))
                #expect(
                    try transaction.perform(ReleaseIdempotencyKey(account, key: "once", claimedAt: first)) == 0,
                    "nor does it give away what another holds")
            }
            let second = claims.withLock { $0.last! }
            #expect(try await complete(second) == 1)
            #expect(try await claim("a") == "answered(status: 201, sealed: Optional([1, 2]))")
            try await people.fixture.database.sql("UPDATE idempotency_key SET created_at = now() - interval '25 hours'")
            #expect(try await claim("b") == "claimed", "after a day it is a key like any other")
            try await people.fixture.database.sql(
                "UPDATE idempotency_key SET created_at = now() - interval '2 minutes'")
            #expect(try await claim("c") == "claimed", "whoever claimed it has died")
            let kept = try await people.fixture.database.sql(
                "SELECT count(*) FROM idempotency_key WHERE account_id = \(account.rawValue)")
            #expect(kept == "1", "the others were a day old")
        }
    }

    @Test func settingsHaveAVersion() async throws {
        try await TwoPeople.with { people in
            let settings = AccountSettings(
                locale: "es", timeZone: "Europe/Madrid", throttleSeconds: 3600, colourScheme: .known(.dark),
                name: "Anna")
            let (changed, again, row) = try await people.gateway.transaction { transaction in
                _ = try transaction.execute(EnterSession(people.anna.session))
                let change = ChangeAccountSettings(people.anna.account, version: 1, settings)
                return try (
                    transaction.execute(change), transaction.execute(change),
                    transaction.execute(ReadAccount(people.anna.account)).first
                )
            }
            #expect(changed == [2] && again == [])
            #expect(
                row?.settings == settings && row?.version == 2 && row?.email == "anna@example.org"
                    && row?.name == "Anna")
        }
    }

    @Test func anUnknownTimeZoneIsRefused() async throws {
        try await TwoPeople.with { people in
            let error = await #expect(throws: PostgresError.self) {
                try await people.gateway.transaction { transaction in
                    _ = try transaction.execute(EnterSession(people.anna.session))
                    _ = try transaction.execute(
                        ChangeAccountSettings(
                            people.anna.account, version: 1,
                            AccountSettings(
                                locale: "en", timeZone: "Mars/Olympus", throttleSeconds: nil,
                                colourScheme: .known(.light), name: nil)))
                }
            }
            #expect(error?.sqlState == "22023")
        }
    }

    @Test(arguments: ["", "0190163d-8694-739b-aea5-966c26f8ad9", "0190163d-8694-739b-aea5_966c26f8ad91", "é"])
    func whatIsNoUUIDIsRefused(_ text: String) { #expect(SessionID(text) == nil) }

    @Test func aUUIDIsReadAsItIsWritten() {
        let text = "0190163d-8694-739b-aea5-966c26f8ad91"
        #expect(SessionID(text)?.description == text)
        #expect(Alert.UID(text.uppercased())?.description == text)
    }
}
