import Instants
import Logging
import Postgres
import ServiceKit
import Store

/// Removes everything that is past its retention.
struct RetentionSweep: Sendable {
    let pool: PostgresPool
    let retention: RetentionSettings
    let logger: Logger
    let metrics: UpkeepMetrics
    let clock: WallClock

    /// Interval between two complete sweeps; an incomplete one is repeated at the next turn.
    private static let interval = Duration.seconds(3_600)
    /// Episodes removed per transaction.
    private static let episodesAtOnce: Int32 = 500
    /// Rejects removed per transaction.
    private static let rejectsAtOnce: Int32 = 2_000
    /// Positions removed per transaction.
    private static let positionsAtOnce: Int32 = 5_000
    /// Pause between two transactions, for others' work.
    private static let rest = Duration.milliseconds(200)

    private var due = ContinuousClock.now

    init(
        pool: PostgresPool, retention: RetentionSettings, logger: Logger, metrics: UpkeepMetrics, clock: WallClock
    ) {
        self.pool = pool
        self.retention = retention
        self.logger = logger
        self.metrics = metrics
        self.clock = clock
    }

    mutating func runIfDue() async throws {
        guard ContinuousClock.now >= due else { return }
        if try await run() { due = .now + Self.interval }
    }

    /// Removes what is old, kind by kind; none depends on another's success.
    /// - Returns: false when a long reader, such as a backup, was in the way, or when the clock is not trusted.
    /// - Throws: The first error.
    func run() async throws -> Bool {
        guard try await pool.execute(AskClock()).first ?? false else { return false }
        var isComplete = true
        var failure: (any Error)?
        for kind in UpkeepMetrics.Kind.allCases {
            do {
                while try await removeSome(kind) { try await Task.sleep(for: Self.rest) }
                metrics.retentionSucceeded[kind].set(clock.now().unixSeconds)
            } catch let error as PostgresError where error.code == .lockNotAvailable {
                isComplete = false
                logger.info("What is old is removed later, for it is being read", [.kind: "\(kind)"])
            } catch {
                try Task.checkCancellation()
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return isComplete
    }

    /// - Returns: Whether there may be more.
    private func removeSome(_ kind: UpkeepMetrics.Kind) async throws -> Bool {
        switch kind {
        case .samples: return try await dropPartition(.samples, keep: retention.samples, kind)
        case .hours: return try await dropPartition(.hours, keep: retention.hours, kind)
        case .audit: return try await dropPartition(.audit, keep: retention.audit, kind)
        case .alerts:
            let statement = DeleteOldAlerts(keep: retention.alerts, limit: Self.episodesAtOnce)
            let count = try await pool.execute(statement).first ?? 0
            metrics.removed[kind].increment(by: Int(count))
            return count >= Self.episodesAtOnce
        case .positions:
            let statement = DeleteOldPositions(keep: retention.samples, limit: Self.positionsAtOnce)
            let count = try await pool.execute(statement).first ?? 0
            metrics.removed[kind].increment(by: Int(count))
            return count >= Self.positionsAtOnce
        case .rejects:
            let count = try await pool.execute(DeleteOldRejects(limit: Self.rejectsAtOnce)).first ?? 0
            metrics.removed[kind].increment(by: Int(count))
            return count >= Self.rejectsAtOnce
        }
    }

    private func dropPartition(
        _ table: DropOldestPartition.Table, keep: Duration, _ kind: UpkeepMetrics.Kind
    ) async throws -> Bool {
        guard let name = try await pool.execute(DropOldestPartition(of: table, keep: keep)).first ?? nil else {
            return false
        }
        metrics.removed[kind].increment()
        logger.info("Dropped a partition for its age", [.partition: "\(name)"])
        return true
    }
}
