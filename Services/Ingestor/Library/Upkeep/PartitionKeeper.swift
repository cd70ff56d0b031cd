import Backoff
import Logging
import Postgres
import ServiceKit
import Store

/// Makes the partitions of the days to come, for as long as its task lives.
///
/// Partitions reach three days ahead, so storing goes on after a failure that needs an operator: it is logged as an
/// error at every turn until it is mended.
struct PartitionKeeper: Sendable {
    let pool: PostgresPool
    let logger: Logger
    var interval = Duration.seconds(3_600)

    func run() async throws {
        try await every(interval) {
            do {
                try await keepTrying("making partitions", logger: logger, isRetriable: Ingestor.isRetriable) { _ in
                    _ = try await pool.execute(MakePartitions())
                }
            } catch {
                try Task.checkCancellation()
                logger.error("The partitions of the next days were not made; it is tried again", [.error: "\(error)"])
            }
        }
    }
}
