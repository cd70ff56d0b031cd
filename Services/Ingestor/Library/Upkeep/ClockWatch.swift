import Backoff
import Instants
import Logging
import Postgres
import ServiceKit
import Store
import Synchronization
import WaterQuality

/// Observes the database's clock for as long as its task lives, and publishes the time, whether it is trusted, and how
/// far back readings count as history.
struct ClockWatch: Sendable {
    /// State that is read for every message.
    final class State: Sendable {
        private let isDoubted = Atomic(false)
        /// In microseconds; 0: not known yet.
        private let kept = Atomic<Int64>(0)

        var isTrusted: Bool { !isDoubted.load(ordering: .relaxed) }

        /// How far back readings count as history: up to a day before they are dropped, so that nothing stored is
        /// dropped unseen, and no day is rolled up again whose samples are gone. nil: not known, or the clock is not trusted.
        var history: Duration? {
            let kept = kept.load(ordering: .relaxed)
            return isTrusted && kept > 0 ? .microseconds(kept) - .seconds(86_400) : nil
        }

        /// - Returns: Whether the trust has changed.
        fileprivate func set(isTrusted: Bool, kept: Duration) -> Bool {
            self.kept.store(kept.wholeMicroseconds, ordering: .relaxed)
            return isDoubted.exchange(!isTrusted, ordering: .relaxed) == isTrusted
        }
    }

    let pool: PostgresPool
    let logger: Logger
    let metric: Gauge
    let state = State()
    let clock: DatabaseClock
    var interval = NoteClock.interval

    /// - Parameter own: Used until the database's clock is known.
    init(pool: PostgresPool, logger: Logger, metrics: MetricsRegistry, own: WallClock = .system) {
        self.pool = pool
        clock = DatabaseClock(until: own)
        self.logger = logger
        metric = metrics.gauge(
            "aqua_ingestor_clock_trusted",
            "1 while the database's clock is believed; otherwise nothing is dropped or rolled up.")
        metric.set(1)
    }

    func run() async throws {
        let outage = OutageLog(subject: "noting the clock", logger: logger)
        try await every(interval, startsNow: true) {
            do {
                try await note()
                outage.succeeded()
            } catch {
                try Task.checkCancellation()
                outage.failed(error)
            }
        }
    }

    func note() async throws {
        try await clock.ask(pool)
        guard let isTrusted = try await pool.execute(NoteClock()).first,
            let kept = try await pool.execute(FindSampleRetention()).first,
            state.set(isTrusted: isTrusted, kept: kept)
        else { return }
        metric.set(isTrusted ? 1 : 0)
        guard isTrusted else {
            return logger.warning(
                "The clock leapt or was not looked at for a while: until devices confirm it nothing is dropped or rolled up"
            )
        }
        logger.info("The clock is trusted")
        // Partitions of the roll-ups are not made while the clock is not trusted.
        _ = try await pool.execute(MakePartitions())
    }
}
