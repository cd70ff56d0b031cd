import DatabaseHealth
import Foundation
import Instants
import Logging
import Postgres
import ServiceKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct CommitWatchTests {
    private struct Lines: LogOutput {
        let sink: AsyncStream<String>.Continuation

        func write(_ line: [UInt8]) { sink.yield(String(decoding: line, as: UTF8.self)) }
    }

    private static let waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = current_database()"

    private let lines: AsyncStream<String>
    private let facilities: Facilities

    init() {
        let (lines, sink) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        facilities = Facilities(
            logger: Logger(label: "tests") {
                JSONLogHandler(label: $0, level: .info, output: Lines(sink: sink), clock: .system)
            })
    }

    private func configuration(
        _ database: TestDatabase, stateDirectory: String? = nil
    ) throws -> PostgresConfiguration {
        var settings = DatabaseSettings(
            url: database.url(.gateway), password: Secret(try database.password(.gateway)))
        settings.stateDirectory = stateDirectory
        return try PostgresConfiguration(settings, service: "aqua-tests")
    }

    private func line(_ text: String) async throws -> String? {
        try await withDeadline(.seconds(120), "a log line: \(text)") { [lines] in
            await lines.first { $0.contains(text) }
        }
    }

    /// Waits until the watch rests between two probes, or times one.
    private static func sleeping(_ clock: ManualClock, _ duration: Duration) async throws {
        try await awaitFact("the watch's sleep") { clock.pending == [duration] ? true : nil }
    }

    /// Runs with a service's least rights: no service needs to be granted any for it.
    @Test func aCommitThatWaitsForAStandbyIsToldUntilItEnds() async throws {
        try await TestCluster.with(.full) { cluster in
            try await cluster.database.withDatabase { database in
                try await TestStandby.with(of: cluster, isSynchronous: true) { standby in
                    let clock = ManualClock()
                    let watch = CommitWatch(try configuration(database), facilities, clock: clock)
                    let run = Task { try await watch.run() }
                    // The first probe has ended.
                    try await Self.sleeping(clock, CommitWatch.interval)
                    #expect(await facilities.health.failingReadiness() == [])

                    standby.freeze()
                    clock.advance(by: CommitWatch.interval)
                    try await awaitFact("a probe that waits") {
                        try await database.sql(Self.waiting) == "1" ? true : nil
                    }
                    try await Self.sleeping(clock, CommitWatch.limit)
                    #expect(await facilities.health.failingReadiness() == [])
                    clock.advance(by: CommitWatch.limit + .seconds(1))
                    #expect(await facilities.health.failingReadiness() == ["database commits"])
                    #expect(facilities.metrics.render().contains("aqua_database_commit_waiting_seconds 11\n"))
                    let line = try await line("a commit has not ended within 10.0 seconds")
                    #expect(line?.contains("aqua doctor") == true)

                    standby.thaw()
                    try await Self.sleeping(clock, CommitWatch.interval)
                    #expect(await facilities.health.failingReadiness() == [])
                    #expect(facilities.metrics.render().contains("aqua_database_commit_waiting_seconds 0\n"))

                    // A service that is stopped meanwhile does not wait for the standby.
                    standby.freeze()
                    clock.advance(by: CommitWatch.interval)
                    try await awaitFact("a probe that waits") {
                        try await database.sql(Self.waiting) == "1" ? true : nil
                    }
                    run.cancel()
                    _ = await run.result
                    #expect(await facilities.health.failingReadiness() == [])
                    standby.thaw()
                }
            }
        }
    }

    /// Covers a service whose connections all lead to the server that was left behind, where commits wait for ever.
    @Test func aStandbyThatWasPromotedIsMet() async throws {
        try await TestCluster.with(.full) { cluster in
            try await cluster.database.withDatabase { database in
                try await TestStandby.with(of: cluster, isSynchronous: true) { standby in
                    let clock = ManualClock()
                    let settings = DatabaseSettings(
                        url: standby.url(.gateway, database), password: Secret(try database.password(.gateway)))
                    let watch = CommitWatch(
                        try PostgresConfiguration(settings, service: "aqua-tests"), facilities, clock: clock)
                    let run = Task { try await watch.run() }
                    try await Self.sleeping(clock, CommitWatch.interval)
                    try await standby.promote()
                    clock.advance(by: CommitWatch.interval)
                    try await awaitFact("a probe that waits") {
                        try await database.sql(Self.waiting) == "1" ? true : nil
                    }
                    try await Self.sleeping(clock, CommitWatch.limit)
                    clock.advance(by: CommitWatch.limit + .seconds(1))
                    #expect(try await line("a standby was promoted") != nil)
                    let health = facilities.health
                    try await awaitFact("a probe that ends") {
                        clock.advance(by: CommitWatch.interval)
                        return await health.failingReadiness() == [] ? true : nil
                    }
                    run.cancel()
                    _ = await run.result
                }
            }
        }
    }

    @Test func aServerThatIsRefusedIsTold() async throws {
        try await Paths.withTemporaryDirectory { directory in
            try await TestCluster.shared.database.withDatabase { database in
                // Writes the history of an installation elsewhere.
                let file = directory.appending(path: "aqua-tests.server")
                try Data("5 7\n".utf8).write(to: file)
                let configuration = try configuration(database, stateDirectory: directory.path)
                let watch = CommitWatch(configuration, facilities)
                let run = Task { try await watch.run() }
                let health = facilities.health
                try await awaitFact("the refusal") {
                    await health.failingReadiness() == ["database server"] ? true : nil
                }
                #expect(facilities.metrics.render().contains("aqua_database_server_refused 1\n"))
                try FileManager.default.removeItem(at: file)
                try await awaitFact("the server") { await health.failingReadiness() == [] ? true : nil }
                #expect(facilities.metrics.render().contains("aqua_database_server_refused 0\n"))
                run.cancel()
                _ = await run.result
                let system = try await database.sql("SELECT system_identifier FROM pg_control_system()")
                let noted = try String(contentsOf: file, encoding: .utf8)
                #expect(noted == "\(system) 1\n")
            }
        }
    }
}
