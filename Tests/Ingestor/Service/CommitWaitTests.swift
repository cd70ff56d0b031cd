import Instants
import Postgres
import ServiceKit
import TestSupport
import Testing

@testable import Ingestor

/// Ingestors while a database is away, or commits wait for a synchronous standby that is away.
@Suite(.timeLimit(.minutes(10))) struct CommitWaitTests {
    private static let start = Timestamp.now - .seconds(86_400)

    /// The number of connections that wait for a standby.
    private static func waiting(_ condition: String) -> String {
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND \(condition)"
    }

    /// The Ingestor is not ready, but alive: killing it would not help. It keeps its seat, where another could do no
    /// better.
    @Test func commitsThatWaitCostNeitherLifeNorSeat() async throws {
        try await ServiceFixture.with(.full) { fixture in
            try await TestStandby.with(of: fixture.cluster, isSynchronous: true) { standby in
                let clock = ManualClock()
                let health = Health(clock: clock)
                try await fixture.withIngestor(health: health) {
                    try await awaitFact("that it is ready") { await health.failingReadiness() == [] ? true : nil }
                    let holder = try await Self.holder(fixture)
                    let second = try await fixture.startStandby()
                    standby.freeze()
                    // Without this nothing would end, not even this test.
                    defer { standby.thaw() }
                    try await fixture.publish(0..<50, since: Self.start)
                    try await awaitFact("the batch's commit") {
                        try await fixture.database.sql(Self.waiting("query = 'COMMIT'")) == "0" ? nil : true
                    }
                    for _ in 0..<3 {
                        clock.advance(by: .seconds(31))
                        try await awaitFact("a beat") { health.silentHeartbeats() == [] ? true : nil }
                    }
                    try await awaitFact("that it is not ready") {
                        await health.failingReadiness() == ["database commits"] ? true : nil
                    }
                    // Two commits wait: the standby's probe, and the check it makes before it ends other connections.
                    let names = try await Self.names(fixture, besides: holder)
                    let probes = Self.waiting(
                        "application_name IN (\(names)) AND query LIKE '%pg_logical_emit_message%'")
                    try await awaitFact("two commits of the one that stands by") {
                        try await fixture.database.sql(probes) == "2" ? true : nil
                    }
                    #expect(try await Self.holder(fixture) == holder)
                    standby.thaw()
                    try await fixture.awaitStored(50)
                    try await awaitFact("that it is ready") { await health.failingReadiness() == [] ? true : nil }
                    #expect(try await Self.holder(fixture) == holder)
                    #expect(await second.stop() == .exit(0))
                }
                try await fixture.expectEachOnce(50)
            }
        }
    }

    /// The process that holds the seat.
    private static func holder(_ fixture: ServiceFixture) async throws -> String {
        try await fixture.database.sql(
            "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 7133702 AND objid = 0 AND granted")
    }

    /// The names of the other Ingestors' connections, in quotes.
    private static func names(_ fixture: ServiceFixture, besides holder: String) async throws -> String {
        try await fixture.database.sql(
            """
            SELECT string_agg(DISTINCT quote_literal(application_name), ', ') FROM pg_stat_activity
            WHERE usename = 'aqua_ingestor' AND datname = current_database()
                AND application_name <> (SELECT application_name FROM pg_stat_activity WHERE pid = \(holder))
            """)
    }

    @Test func oneThatStandsByIsNotReadyWithoutADatabase() async throws {
        try await ServiceFixture.with { fixture in
            let first = try await fixture.startIngestor()
            let health = Health()
            try await fixture.withIngestor(health: health, until: "Standing by") {
                try await awaitFact("that it is ready") { await health.failingReadiness() == [] ? true : nil }
                await fixture.store.owner.close()
                try await fixture.cluster.halt(.database)
                try await awaitFact("that it is not") {
                    await health.failingReadiness() == ["broker", "database"] ? true : nil
                }
                try await fixture.cluster.resume(.database)
                try await awaitFact("that it is again") { await health.failingReadiness() == [] ? true : nil }
            }
            #expect(await first.stop() == .exit(0))
        }
    }
}
