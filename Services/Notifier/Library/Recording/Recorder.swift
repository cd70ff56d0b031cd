import Backoff
import Logging
import Postgres
import ServiceKit
import Store
import Synchronization

/// Records the results of deliveries, many in one durable transaction.
///
/// While one transaction commits, the next results gather: that alone makes batches. Only when much is on its way does
/// it linger a little before, so that a single alert is recorded at once.
final class Recorder: Sendable {
    /// In messages, or in deliveries that were given back.
    private static let largestBatch = 500
    /// The number of outstanding deliveries from which it lingers.
    private static let busy = 64
    private static let linger = Duration.milliseconds(5)

    private let pool: PostgresPool
    private let metrics: NotifierMetrics
    private let logger: Logger
    /// Those of a message are one element, and recorded in one transaction.
    private let attempts = Mutex(Queue<[Attempt]>(size: \.count))
    private let putOff = Mutex(Queue<ReleaseDeliveries.Release> { _ in 1 })
    private let signal = Signal()

    init(pool: PostgresPool, metrics: NotifierMetrics, logger: Logger) {
        self.pool = pool
        self.metrics = metrics
        self.logger = logger
    }

    /// How many wait to be recorded. Bounded by how much is leased.
    var outstanding: Int { attempts.withLock(\.size) + putOff.withLock(\.size) }

    /// - Parameter message: The attempts of one message.
    func add(_ message: [Attempt]) {
        attempts.withLock { $0.append([message]) }
        signal.raise()
    }

    /// Gives leases back: they come due after a time, zero being at once.
    func release(_ leases: [Lease], after: Duration) {
        putOff.withLock {
            $0.append(leases.flatMap(\.deliveries).map { .init(key: $0.key, lease: $0.lease, after: after) })
        }
        signal.raise()
    }

    /// Nothing more comes: `run` returns when all is recorded.
    func finish() {
        signal.finish()
    }

    /// - Parameters:
    ///   - sending: How many deliveries are on their way.
    ///   - onProgress: Called when there is room for more.
    func run(sending: @Sendable () -> Int, onProgress: @Sendable () -> Void) async throws {
        for await _ in signal {
            if sending() >= Self.busy { try await Task.sleep(for: Self.linger) }
            try await recordAll()
            onProgress()
        }
        try await recordAll()
    }

    private func recordAll() async throws {
        try await empty(attempts) { try await record($0.joined().map(\.record)) }
        try await empty(putOff) { releases in
            // Nothing is lost with it but time, so it need not wait for the disk.
            try await pool.transaction(TransactionOptions(isDurable: false)) {
                _ = try $0.perform(ReleaseDeliveries(releases))
            }
        }
    }

    /// Writes a queue in batches. What is being written stays in the queue, so that it counts as outstanding.
    private func empty<Element: Sendable>(
        _ queue: borrowing Mutex<Queue<Element>>, _ write: ([Element]) async throws -> Void
    ) async throws {
        while true {
            let batch = queue.withLock { $0.first(Self.largestBatch) }
            guard !batch.isEmpty else { return }
            do {
                try await keepTrying("recording", logger: logger, isRetriable: PostgresError.isRetriable) { _ in
                    try await write(batch)
                }
            } catch let error as PostgresError where error.code != .closed {
                // One batch that cannot be written must not keep all others; its leases end, and it is sent again.
                let count = queue.withLock { $0.size(of: batch) }
                logger.error("Results were not recorded", [.error: "\(error)", .count: "\(count)"])
                metrics.unrecorded.increment(by: count)
            }
            queue.withLock { $0.removeFirst(batch.count) }
        }
    }

    private func record(_ records: [RecordAttempts.Attempt]) async throws {
        let started = ContinuousClock.now
        defer { metrics.recording.observe(.now - started) }
        let alerts = Array(Set(records.map(\.key.alertKey)))
        try await pool.transaction { transaction in
            if records.count >= PostgresTransaction.manyRows { try transaction.planForManyRows() }
            _ = try transaction.execute(LockAlerts(alerts))
            try transaction.perform(RecordAttempts(try withoutRevived(records, in: transaction)))
            let rows = try transaction.execute(JudgeAlerts(alerts))
            try transaction.perform(SettleAlerts(rows.map { ($0.alert, $0.account, $0.settlement) }))
        }
    }

    /// Leaves out what was given up because its episode was over, and holds again: until it was locked, an engine may have made the alert
    /// the alarm of the next episode. Those deliveries come due at once.
    private func withoutRevived(
        _ records: [RecordAttempts.Attempt], in transaction: PostgresTransaction
    ) throws -> [RecordAttempts.Attempt] {
        let over = Set(records.lazy.filter(\.wasOver).map(\.key.alertKey))
        guard !over.isEmpty else { return records }
        let holding = Set(try transaction.execute(FindTrueAlerts(Array(over))))
        let revived = records.filter { $0.wasOver && holding.contains($0.key.alertKey) }
        guard !revived.isEmpty else { return records }
        _ = try transaction.execute(
            ReleaseDeliveries(revived.map { .init(key: $0.key, lease: $0.lease, after: .zero) }))
        return records.filter { !($0.wasOver && holding.contains($0.key.alertKey)) }
    }
}

extension DeliveryKey {
    fileprivate var alertKey: AlertKey { AlertKey(slot: slot, alert: alert) }
}
