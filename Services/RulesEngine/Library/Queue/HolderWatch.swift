import Backoff
import Logging
import Postgres
import ServiceKit
import Store

/// Ends transactions of Gateways that hold up everybody's alarms, on a connection of its own, for all others may wait for one.
///
/// Gateways serve strangers, so that theirs is the role that is taken over first. Whoever has it locks what they may, for as long
/// as they like: time-outs are the role's own to set.
struct HolderWatch: Sendable {
    static let interval = Duration.seconds(5)

    let database: PostgresConfiguration
    let schema: SchemaCheck
    let metrics: EngineMetrics
    let logger: Logger

    /// Connects, looks until the connection fails, and connects again.
    func run() async throws {
        try await keepTryingUntilShutdown(
            "looking for transactions that hold others up", logger: logger, isRetriable: Schema.isRetriable
        ) { outage in
            try await PostgresConnection.with(database) { connection in
                try await schema.require(on: connection)
                try await every(Self.interval) {
                    let ended = try await connection.execute(EndHolders()).first.flatMap(\.self) ?? 0
                    outage.end()
                    guard ended > 0 else { return }
                    metrics.endedHolders.increment(by: Int(ended))
                    logger.warning("Transactions of a Gateway held others up and were ended", [.count: "\(ended)"])
                }
            }
        }
    }
}
