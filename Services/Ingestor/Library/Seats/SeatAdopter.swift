import Backoff
import Logging
import Postgres
import ServiceKit
import Store

/// Evicts frozen holders and drains abandoned seats, for which the broker goes on queueing messages that nothing reads.
struct SeatAdopter: Sendable {
    let database: PostgresConfiguration
    let pool: PostgresPool
    let sharesSubscription: Bool
    /// How long the session of an empty seat is left to the Ingestor that held it.
    let grace: Duration
    let sessions: BrokerSessions
    let metrics: IngestorMetrics
    let logger: Logger

    /// Drains abandoned seats until the task is cancelled.
    func run() async throws {
        let interval = min(grace, .seconds(15))
        var watch = SeatWatch(longestStep: interval + .seconds(3))
        try await every(interval) {
            do {
                try await look(&watch)
            } catch {
                try Task.checkCancellation()
                logger.warning("An empty seat could not be drained", [.error: "\(error)"])
            }
        }
    }

    private func look(_ watch: inout SeatWatch) async throws {
        let seats = try await watch.look {
            try await pool.execute(ListSeats())
        } commit: {
            try await pool.perform(AwaitEarlierCommits())
        }
        for row in seats where row.seat != Seat.only {
            guard let holder = watch.frozenHolder(of: row) else { continue }
            _ = try await pool.execute(EvictHolder(holder, on: row.seat))
        }
        let abandoned = seats.filter {
            ($0.seat != Seat.only || sharesSubscription) && $0.sessionOpen && !$0.isHeld
                && watch.stillness(of: $0.seat) >= grace
        }
        for row in abandoned {
            let session = try await Seat.with(abandoned: row.seat, database) { try await sessions.drain($0) }
            guard session == .ended else { continue }
            metrics.adoptedSeats.increment()
            logger.info("Drained an empty seat", [.seat: "\(row.seat)"])
        }
    }
}
