import Postgres
import Store
import TestSupport
import Testing

@testable import Ingestor

/// The connections that are ended when a seat's holder is frozen.
@Suite struct EvictHolderTests {
    // Unique like an Ingestor's name: `pg_stat_activity` shows all tests of the server.
    private let one = "one \(UInt32.random(in: 0 ... .max))"
    private let two = "two \(UInt32.random(in: 0 ... .max))"

    private struct Member {
        let connection: PostgresConnection

        init(_ application: String, _ fixture: StoreFixture) async throws {
            connection = try await PostgresConnection.connect(
                PostgresConfiguration(
                    url: fixture.database.url(.ingestor), password: fixture.database.password(.ingestor),
                    applicationName: application))
        }

        var isThere: Bool {
            get async { (try? await connection.executeScript("SELECT")) != nil }
        }
    }

    private static func holder(_ observer: Member) async throws -> Int32 {
        try #require(try await observer.connection.execute(ListSeats()).first?.holder)
    }

    private static func sit(_ member: Member) async throws {
        #expect(try await member.connection.execute(TakeSeat(3)) == [true])
        #expect(try await member.connection.execute(OpenSeat(3, proposal: "aqua:ingestor:3:test")).count == 1)
    }

    @Test func allOfAnotherEnd() async throws {
        try await StoreFixture.with { fixture in
            let frozen = [try await Member(one, fixture), try await Member(one, fixture)]
            let observer = try await Member(two, fixture)
            try await Self.sit(frozen[0])
            #expect(try await observer.connection.execute(EvictHolder(Self.holder(observer), on: 3)) == [true, true])
            for member in frozen { #expect(await !member.isThere) }
            #expect(await observer.isThere)
            await observer.connection.close()
        }
    }

    /// The network broke, and the server still holds the seat for the former connection.
    @Test func ofOnesOwnTheLostOneEnds() async throws {
        try await StoreFixture.with { fixture in
            let lost = try await Member(one, fixture)
            let others = [try await Member(one, fixture), try await Member(one, fixture)]
            try await Self.sit(lost)
            let holder = try await Self.holder(others[0])
            #expect(try await others[0].connection.execute(EvictHolder(holder, on: 3)) == [true])
            #expect(await !lost.isThere)
            for member in others {
                #expect(await member.isThere)
                await member.connection.close()
            }
        }
    }

    @Test func whoHasLeftIsLeftAlone() async throws {
        try await StoreFixture.with { fixture in
            let former = try await Member(one, fixture)
            let observer = try await Member(two, fixture)
            try await Self.sit(former)
            let holder = try await Self.holder(observer)
            #expect(try await observer.connection.execute(EvictHolder(holder, on: 4)).isEmpty)
            try await former.connection.executeScript("SELECT pg_advisory_unlock_all()")
            #expect(try await observer.connection.execute(EvictHolder(holder, on: 3)).isEmpty)
            #expect(await former.isThere)
            for member in [former, observer] { await member.connection.close() }
        }
    }
}
