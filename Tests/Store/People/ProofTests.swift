import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// When a session is fresh, what was made in it, and how that is revoked.
@Suite struct ProofTests {
    private typealias Person = TwoPeople.Person

    private func isFresh(_ people: TwoPeople, _ person: Person, as other: Person? = nil) async throws -> Bool? {
        try await people.gateway.transaction { transaction in
            _ = try transaction.execute(EnterSession((other ?? person).session))
            return try transaction.execute(NameSession(person.session)).first ?? nil
        }
    }

    private func prove(_ people: TwoPeople, _ person: Person, hash: String = "scrypt$test") async throws -> Bool? {
        try await people.gateway.transaction { transaction in
            _ = try transaction.execute(EnterSession(person.session))
            return try transaction.execute(ProveSession(person.account, person.session, checkedHash: hash)).first
        }
    }

    @Test func aSessionIsFreshForTenMinutesAfterThePassword() async throws {
        try await TwoPeople.with { people in
            let database = people.fixture.database
            #expect(try await isFresh(people, people.anna) == true, "signing in counts")
            #expect(try await isFresh(people, people.anna, as: people.ben) == nil, "it is not his")
            for (age, expected) in [("9 min", true), ("11 min", false), ("-10 s", true), ("-2 min", false)] {
                try await database.sql("UPDATE session SET proven_at = NULL, created_at = now() - interval '\(age)'")
                #expect(try await isFresh(people, people.anna) == expected, "\(age)")
            }
            #expect(try await prove(people, people.anna, hash: "scrypt$another") == false)
            #expect(try await isFresh(people, people.anna) == false)
            #expect(try await prove(people, people.anna) == true)
            #expect(try await isFresh(people, people.anna) == true)
            try await database.sql("UPDATE session SET proven_at = now() - interval '11 min'")
            #expect(try await isFresh(people, people.anna) == false, "not for longer")
        }
    }

    /// Makes everything that outlives a session.
    private func make(_ people: TwoPeople, in session: SessionID) async throws {
        let (anna, ben) = (people.anna, people.ben)
        try await people.gateway.transaction { transaction in
            _ = try transaction.execute(EnterSession(session))
            _ = try transaction.execute(NameSession(session))
            _ = try transaction.execute(
                AddPersonalToken(
                    of: anna.account, hash: TwoPeople.hash("thief"), name: "Thief", scope: .write, lastFour: "dcba",
                    expiresAt: nil, most: 20))
            let target = "https://thief.example/"
            let number = try #require(
                try transaction.execute(NumberEndpoint(channel: .webhook, target: target, account: anna.account)).first)
            _ = try transaction.execute(
                AddEndpoint(
                    endpoint: number.endpoint, account: anna.account, channel: .webhook, target: target,
                    sealedSecret: [1], client: nil))
            for token in ["taken-up", "open"] {
                let invitation = try transaction.execute(
                    AddDeviceInvitation(
                        device: anna.device, account: anna.account, tokenHash: TwoPeople.hash(token),
                        lifetime: .seconds(3600)))
                #expect(invitation.count == 1)
            }
        }
        try await people.gateway.transaction { transaction in
            _ = try transaction.execute(EnterSession(ben.session))
            let joined = try transaction.execute(
                JoinDevice(
                    tokenHash: TwoPeople.hash("taken-up"), account: ben.account, defaults: SchemaFixture.defaults))
            #expect(joined.first?.outcome == .joined)
        }
    }

    private func made(_ people: TwoPeople, in session: SessionID, as person: Person) async throws -> [String]? {
        try await people.gateway.transaction { transaction in
            _ = try transaction.execute(EnterSession(person.session))
            let rows = try transaction.execute(ListMadeInSession(session, of: person.account))
            return rows.isEmpty ? nil : rows.compactMap { $0 }.map { "\($0.kind.rawValue) \($0.name)" }.sorted()
        }
    }

    @Test func whatWasMadeInASessionIsListedAndTakenBack() async throws {
        try await TwoPeople.with { people in
            let (anna, database) = (people.anna, people.fixture.database)
            let client = SessionClient(id: nil, name: "Thief", address: "192.0.2.9/32")
            let session = try await TwoPeople.open(anna.account, "thief", client: client, people.gateway)
            #expect(try await made(people, in: session, as: anna) == [])
            #expect(try await made(people, in: session, as: people.ben) == nil)
            try await make(people, in: session)
            let all = [
                "endpoint https://thief.example/", "invitation Pond", "token Thief", "watcher ben",
            ]
            #expect(try await made(people, in: session, as: anna) == all)
            #expect(try await made(people, in: anna.session, as: anna) == [], "what she made is not in it")

            func undo(as person: Person) async throws -> Bool? {
                try await people.gateway.transaction { transaction in
                    _ = try transaction.execute(EnterSession(person.session))
                    return try transaction.execute(UndoSession(session, of: person.account)).first ?? nil
                }
            }
            #expect(try await undo(as: people.ben) == false)
            #expect(try await made(people, in: session, as: anna) == all)
            #expect(try await undo(as: anna) == true)
            #expect(try await made(people, in: session, as: anna) == [])
            #expect(try await people.gateway.execute(EnterSession(session)).isEmpty)
            #expect(try await people.gateway.execute(EnterToken(hash: TwoPeople.hash("thief"))).isEmpty)
            let kept = """
                SELECT (SELECT count(*) FROM endpoint WHERE account_id = \(anna.account.rawValue) AND retired_at IS NULL),
                    (SELECT count(*) FROM personal_token WHERE account_id = \(anna.account.rawValue) AND revoked_at IS NULL),
                    (SELECT count(*) FROM device_invitation
                        WHERE account_id = \(anna.account.rawValue) AND used_at IS NULL),
                    (SELECT count(*) FROM ownership WHERE role = 'watcher' AND unlinked_at IS NULL)
                """
            #expect(try await database.sql(kept) == "1|1|1|0", "what is older than the session stays")
            #expect(try await undo(as: anna) == true, "twice is once")
        }
    }

    @Test func everythingIsNotedForThePersonAlone() async throws {
        try await TwoPeople.with { people in
            let (anna, ben) = (people.anna, people.ben)
            let client = SessionClient(id: nil, name: "Thief", address: "192.0.2.9/32")
            let session = try await TwoPeople.open(anna.account, "thief", client: client, people.gateway)
            try await make(people, in: session)
            try await people.gateway.transaction { transaction in
                _ = try transaction.execute(EnterSession(anna.session))
                _ = try transaction.execute(NameSession(anna.session))
                _ = try transaction.execute(UndoSession(session, of: anna.account))
                _ = try transaction.execute(
                    ReplacePassword(
                        anna.account, checkedHash: "scrypt$test", nextHash: "scrypt$next", keeping: anna.session))
            }
            func events(_ person: Person) async throws -> [AccountEvent] {
                try await people.gateway.transaction { transaction in
                    _ = try transaction.execute(EnterSession(person.session))
                    return try transaction.execute(ListAccountEvents(of: person.account, before: nil, limit: 100))
                        .reversed()
                }
            }
            let annas = try await events(anna)
            #expect(
                annas.map(\.kind.known) == [
                    .deviceLinked, .signedIn, .tokenMade, .endpointAdded, .identityLinked, .invitationMade,
                    .signedIn, .tokenMade, .endpointAdded, .invitationMade, .invitationMade, .watcherJoined,
                    .watcherLeft, .tokenRevoked, .endpointRemoved, .signedOutElsewhere, .passwordChanged,
                ])
            #expect(annas[6].session == session && annas[6].network == "192.0.2.0/24" && annas[6].subject == "Thief")
            #expect(annas[7...10].allSatisfy { $0.session == session })
            #expect(annas[8].subject == "thief.example", "the rest of the address is a secret")
            #expect(annas[11].session == nil, "somebody else did it")
            #expect(annas[12...].allSatisfy { $0.session == anna.session })
            #expect(
                try await events(ben).map(\.kind.known).suffix(1) == [.watchingEnded], "he is told that it is over")
            let page = try await people.gateway.transaction { transaction in
                _ = try transaction.execute(EnterSession(anna.session))
                return try transaction.execute(ListAccountEvents(of: anna.account, before: annas[2].number, limit: 100))
            }
            #expect(page.map(\.number) == annas[..<2].map(\.number).reversed())
            #expect(
                try await people.asGateway(
                    of: ben, "SELECT count(*) FROM account_event WHERE account_id = \(anna.account.rawValue)")
                    == "0")
        }
    }

    @Test func aStolenSessionIsNoted() async throws {
        try await TwoPeople.with { people in
            let client = TwoPeople.client
            let refresh = RefreshSession(
                hash: TwoPeople.hash("anna-1"), successorHash: TwoPeople.hash("anna-2"), sealedSuccessor: [1],
                client: client)
            _ = try await people.gateway.execute(refresh)
            try await people.fixture.database.sql(
                "UPDATE refresh_token SET used_at = now() - interval '1 hour' WHERE used_at IS NOT NULL")
            #expect(try await people.gateway.execute(refresh).first?.outcome == .reused)
            #expect(
                try await people.fixture.database.sql(
                    "SELECT kind FROM account_event WHERE account_id = \(people.anna.account.rawValue) ORDER BY event_id DESC LIMIT 1"
                )
                    == "sessionStolen")
        }
    }

    /// Rehashing the same password at sign-in is not recorded as a change.
    @Test func aRehashIsNotNoted() async throws {
        try await TwoPeople.with { people in
            try await people.gateway.transaction { transaction in
                _ = try transaction.execute(
                    OpenSession(
                        people.anna.account, checkedHash: "scrypt$test", client: TwoPeople.client,
                        refreshTokenHash: TwoPeople.hash("again")))
                _ = try transaction.execute(
                    RehashPassword(people.anna.account, checkedHash: "scrypt$test", nextHash: "scrypt$dearer"))
            }
            let noted = "SELECT count(*) FROM account_event WHERE kind = 'passwordChanged'"
            #expect(try await people.fixture.database.sql(noted) == "0")
            _ = try await people.fixture.owner.execute(
                ReplacePassword(people.anna.account, checkedHash: "scrypt$dearer", nextHash: "scrypt$new", keeping: nil)
            )
            #expect(try await people.fixture.database.sql(noted) == "1", "the operator's is")
        }
    }
}
