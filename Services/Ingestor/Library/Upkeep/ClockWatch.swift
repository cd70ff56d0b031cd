import Logging
import Postgres
import ServiceKit
import Store
import Synchronization

/// Notes the database's clock, as long as its task lives, and tells whether it is trusted.
struct ClockWatch: Sendable {
    /// For whoever has to know at every message; a clock of which nothing is known yet is not doubted.
    final class Trust: Sendable {
        private let state = Atomic(true)
        var isGiven: Bool { state.load(ordering: .relaxed) }
        fileprivate func set(_ isGiven: Bool) { state.store(isGiven, ordering: .relaxed) }
    }

    let pool: PostgresPool
    let logger: Logger
    let metric: Gauge
    let trust = Trust()
    var interval = NoteClock.interval

    init(pool: PostgresPool, logger: Logger, metrics: MetricsRegistry) {
        self.pool = pool
        self.logger = logger
        metric = metrics.gauge(
            "aqua_ingestor_clock_trusted",
            "1 while the database's clock is believed; otherwise nothing is dropped or rolled up.")
        metric.set(1)
    }

    func run() async throws {
        var outage = OutageLog(subject: "noting the clock", logger: logger)
        while true {
            do {
                try await note()
                outage.succeeded()
            } catch {
                try Task.checkCancellation()
                outage.failed(error)
            }
            try await Task.sleep(for: interval)
        }
    }

    func note() async throws {
        guard let isTrusted = try await pool.execute(NoteClock()).first, isTrusted != trust.isGiven else { return }
        trust.set(isTrusted)
        metric.set(isTrusted ? 1 : 0)
        guard isTrusted else {
            return logger.warning(
                "The clock leapt or was not looked at for a while: until devices confirm it nothing is dropped or rolled up"
            )
        }
        logger.info("The clock is trusted")
        // Those of the roll-ups were not made in the meantime.
        _ = try await pool.execute(MakePartitions())
    }
}
