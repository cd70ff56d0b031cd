import Backoff
import Logging
package import Postgres
package import ServiceKit
import Synchronization

/// Commits a small transaction at regular intervals, and makes the service not ready while such a commit hangs.
///
/// A commit that waits for a lost synchronous standby never returns, and neither do the service's other commits, although
/// its connections look well. The probe has a connection of its own, so a hang is noticed even while the
/// service commits nothing.
package struct CommitWatch: Sendable {
    /// The pause between two probes.
    package static let interval = Duration.seconds(5)
    /// The longest duration of a commit before the service is not ready; covers a busy disk and the restart of a
    /// standby.
    package static let limit = Duration.seconds(10)

    private let database: PostgresConfiguration
    private let logger: Logger
    private let commits: OutageLog
    private let memory: OutageLog
    private let state: State
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Registers the findings with the service's readiness and metrics.
    package init<C: Clock>(
        _ database: PostgresConfiguration, _ facilities: Facilities, clock: C = ContinuousClock()
    ) where C.Duration == Duration {
        let start = clock.now
        let state = State { start.duration(to: clock.now) }
        let history = database.history
        self.database = database
        self.state = state
        logger = facilities.logger
        commits = OutageLog(subject: "commits", logger: facilities.logger)
        memory = OutageLog(subject: "the memory of the database's servers", logger: facilities.logger)
        sleep = { try await clock.sleep(for: $0) }
        facilities.health.addReadiness("database commits") { state.waiting <= Self.limit }
        facilities.health.addReadiness("database server") { history.refusal == nil }
        history.onPromotion { [logger] server in
            logger.warning(
                "The database is worked on at a newer timeline: a standby was promoted",
                [
                    .timeline: "\(server.identity.timeline)", .host: "\(server.place?.host ?? "")",
                    .address: "\(server.place?.address ?? "")",
                ])
        }
        facilities.metrics.addDatabaseCommits {
            state.waiting
        } isRefused: {
            history.refusal != nil
        }
    }

    /// Connects, probes until the connection fails, and connects again, until the task is cancelled.
    package func run() async throws {
        try await keepTrying("probing commits", logger: logger) { outage in
            try await PostgresConnection.with(database) { connection in
                while true {
                    try await probe(connection)
                    outage.end()
                    tellMemory()
                    try await sleep(Self.interval)
                }
            }
        }
    }

    private func probe(_ connection: PostgresConnection) async throws {
        state.begin()
        defer { state.end() }
        async let _: Void = warn()
        // A statement that commits by itself: unlike COMMIT it can be cancelled when the service stops.
        try await connection.perform(AwaitEarlierCommits())
        commits.succeeded()
    }

    private func warn() async {
        do { try await sleep(Self.limit) } catch { return }
        commits.failed(
            because:
                "a commit has not ended within \(Self.limit): a synchronous standby is gone, or the server stands still; "
                + "`aqua doctor` tells which")
        // Each new connection may reach a promoted standby and so record the takeover; connections to the former server
        // then end.
        while database.hosts.count > 1 {
            for host in database.hosts { try? await PostgresConnection.connect(database.meeting(host)).close() }
            do { try await sleep(Self.interval) } catch { return }
        }
    }

    private func tellMemory() {
        guard database.history.isForgetful else { return memory.succeeded() }
        memory.failed(
            because:
                "AQUA_STATE_DIRECTORY cannot be written to; after a restart a server that was left behind is not known")
    }
}

/// The start of the probe that is running, if one is.
private final class State: Sendable {
    /// The time since the watch was made.
    private let elapsed: @Sendable () -> Duration
    private let began = Mutex<Duration?>(nil)

    init(_ elapsed: @escaping @Sendable () -> Duration) { self.elapsed = elapsed }

    func begin() { began.withLock { $0 = elapsed() } }
    func end() { began.withLock { $0 = nil } }

    /// The age of the probe that is running; zero when none is.
    var waiting: Duration { began.withLock { $0.map { elapsed() - $0 } ?? .zero } }
}
