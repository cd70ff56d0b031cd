import Backoff
import Logging
import Postgres
import ServiceKit

/// Looks once a minute for ways that take no alerts, and has their people told by their other ways.
struct WayWatch: Sendable {
    let pool: PostgresPool
    let interval: Duration
    let metrics: NotifierMetrics
    let logger: Logger
    /// Whether the database is known to be of this version.
    let mayBegin: @Sendable () -> Bool

    /// Nothing that fails here ends a delivery.
    private static func isRetriable(_ error: any Error) -> Bool { !(error is CancellationError) }

    /// Looks until it is cancelled.
    func run() async throws {
        try await keepTrying("looking for ways that fail", logger: logger, isRetriable: Self.isRetriable) {
            (outage: Outage) -> Void in
            try await every(interval) {
                guard mayBegin() else { return }
                if let found = try await pool.execute(TellFailedWays()).first.flatMap(\.self) {
                    metrics.failedWays.set(Double(found.failed))
                    metrics.unreachablePeople.set(Double(found.unreachable))
                }
                outage.end()
            }
        }
    }
}
