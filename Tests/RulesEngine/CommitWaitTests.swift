import Logging
import ServiceKit
import TestSupport
import Testing

@testable import RulesEngine

@Suite(.timeLimit(.minutes(10))) struct CommitWaitTests {
    /// The number of the deciding loop's commits that wait for a standby.
    private static let waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%note_clock%'"

    /// Without its synchronous standby the database ends no commit: the engine is not ready but alive, because killing
    /// it would not help.
    @Test func commitsThatWaitDoNotCostItsLife() async throws {
        try await TestCluster.with(.full) { cluster in
            try await cluster.database.withDatabase(migrate: EngineFixture.migrate) { database in
                try await TestStandby.with(of: cluster, isSynchronous: true) { standby in
                    let clock = ManualClock()
                    let health = Health(clock: clock)
                    var logger = Logger(label: "test")
                    logger.logLevel = .error
                    let engine = try RulesEngine(
                        RulesConfiguration(
                            database: DatabaseSettings(
                                url: database.url(.rules), password: Secret(try database.password(.rules)))),
                        Facilities(logger: logger, health: health))
                    let run = Task { try await engine.run() }
                    try await awaitFact("that it is ready") { await health.failingReadiness() == [] ? true : nil }
                    standby.freeze()
                    defer { standby.thaw() }
                    try await awaitFact("a commit of the engine's own connection") {
                        try await database.sql(Self.waiting) == "0" ? nil : true
                    }
                    for _ in 0..<3 {
                        clock.advance(by: .seconds(31))
                        try await awaitFact("a beat") { health.silentHeartbeats() == [] ? true : nil }
                    }
                    try await awaitFact("that it is not ready") {
                        await health.failingReadiness() == ["database commits"] ? true : nil
                    }
                    standby.thaw()
                    try await awaitFact("that it is ready again") {
                        await health.failingReadiness() == [] ? true : nil
                    }
                    run.cancel()
                    _ = await run.result
                }
            }
        }
    }
}
