import Instants
import Logging
import Postgres
import ServiceKit
import Store

/// Rolls up samples and removes what is past its retention, for as long as its task lives.
///
/// Any number may run in one instance: a lock in the database admits one at a time. Readings do not wait for it: its
/// transactions are short, and it rests after each. A failure is logged as an error and tried again at the next turn;
/// storing never depends on it.
struct Upkeeper: Sendable {
    let pool: PostgresPool
    let retention: RetentionSettings
    let logger: Logger
    let metrics: UpkeepMetrics
    var clock = WallClock.system
    var interval = Duration.seconds(60)
    var reviewLimits = ReviewStep.Limits()

    /// Rest per unit of work, so that upkeep takes a quarter of one core at most. An hour of 100,000 devices takes a
    /// minute on two busy cores.
    private static let restPerWork = 3

    func run() async throws -> Never {
        var sweep = RetentionSweep(pool: pool, retention: retention, logger: logger, metrics: metrics, clock: clock)
        while true {
            var isDone = true
            await logging("The roll-ups were not completed") { isDone = try await rollUp(within: interval) }
            await logging("What is old was not removed") { try await sweep.runIfDue() }
            await logging("What people left was not erased") { try await eraseReadings() }
            await logging("Memberships whose time is over were not ended") { try await endMemberships() }
            await logging("What was enrolled was not forgotten") { try await forgetEnrolments() }
            await logging("The upkeep was not measured") { try await measure() }
            if isDone { try await Task.sleep(for: interval) }
        }
    }

    /// Rolls up, in turn, hours that have ended and hours with late samples, until none is left. Days are put to
    /// QARTOD's tests only when there is nothing to roll up.
    /// - Parameter bound: Time after which the rest is left, so that other work has its turn; nil: no bound.
    /// - Returns: Whether nothing is left.
    @discardableResult
    func rollUp(within bound: Duration? = nil) async throws -> Bool {
        let start = ContinuousClock.now
        var isDone = false
        while !isDone {
            if let bound, .now - start > bound { return false }
            isDone = true
            for reason in RollUpStep.Reason.allCases {
                let begun = ContinuousClock.now
                guard try await pool.transaction(RollUpStep.transaction, { try RollUpStep(reason).perform($0) }) else {
                    continue
                }
                metrics.rolledUp[reason].increment()
                isDone = false
                try await Task.sleep(for: (ContinuousClock.now - begun) * Self.restPerWork)
            }
            if isDone { isDone = await !review() }
        }
        return true
    }

    /// Puts some days to QARTOD's tests. A failure does not affect roll-ups.
    /// - Returns: Whether there may be more.
    private func review() async -> Bool {
        var days = 0
        await logging("Days were not put to the tests of quality") {
            let begun = ContinuousClock.now
            do {
                days = try await pool.transaction(RollUpStep.transaction) { [reviewLimits] in
                    try ReviewStep(reviewLimits).perform($0)
                }
            } catch let failure as ReviewStep.Failure {
                try await pool.perform(PostponeDueDay(failure.day))
                throw failure.underlying
            }
            guard days > 0 else { return }
            metrics.reviewed.increment(by: days)
            try await Task.sleep(for: (ContinuousClock.now - begun) * Self.restPerWork)
        }
        return days > 0
    }

    private func measure() async throws {
        guard let figures = try await pool.execute(MeasureUpkeep()).first else { return }
        metrics.lag.set(figures.lagSeconds)
        metrics.dueHours.set(Int(figures.dueHours))
        metrics.dueDays.set(Int(figures.dueDays))
        metrics.partitionsAhead.set(Int(figures.partitionsAhead))
        metrics.standbys.set(Int(figures.standbys))
        metrics.backupAge.set(figures.backupAgeSeconds)
        guard let census = try await pool.execute(TakeCensus()).first else { return }
        metrics.openAlarms.set(Int(census.openAlarms))
        metrics.silentDevices.set(Int(census.silentDevices))
        metrics.unreachedPeople.set(Int(census.unreachedPeople))
        metrics.enrolmentWaits.set(census.enrolmentWaitsSeconds)
    }

    private func logging(_ message: Logger.Message, _ work: () async throws -> Void) async {
        do {
            try await work()
        } catch {
            guard !Task.isCancelled else { return }
            metrics.failures.increment()
            logger.error(message, [.error: "\(error)"])
        }
    }
}
