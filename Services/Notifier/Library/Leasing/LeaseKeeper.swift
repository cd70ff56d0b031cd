import Backoff
import Logging
import Postgres
import ServiceKit
import Store
import Synchronization
import WaterQuality

/// Keeps this notifier's leases alive: they are good as long as a database session of its own holds the lock of its holder number.
///
/// When the process dies the session ends, and other notifiers end its leases. While the session is lost and not yet back
/// there is no number: nothing is leased, and nothing is sent that was leased and not begun, as others may have it by now.
final class LeaseKeeper: Sendable {
    private let number = Mutex<LeaseHolder?>(nil)
    private let database: PostgresConfiguration
    private let settings: NotifierSettings
    private let metrics: NotifierMetrics
    private let logger: Logger

    init(
        _ database: PostgresConfiguration, _ settings: NotifierSettings, _ metrics: NotifierMetrics, _ logger: Logger
    ) {
        self.database = database
        self.settings = settings
        self.metrics = metrics
        self.logger = logger
    }

    /// The number under which this notifier leases; nil while its lock may be lost.
    var current: LeaseHolder? { number.withLock(\.self) }

    /// Holds a number, and ends the leases of notifiers that are gone, until the task is cancelled.
    /// - Parameter onNews: Called when there may be something to lease.
    func run(onNews: @Sendable () -> Void) async throws {
        var former: LeaseHolder?
        try await keepTrying("holding leases", logger: logger, isRetriable: Schema.isRetriable) { outage in
            try await PostgresConnection.with(database) { connection in
                defer { number.withLock { $0 = nil } }
                former = try await become(former, on: connection)
                number.withLock { $0 = former }
                outage.end()
                onNews()
                try await watch(connection, onNews)
            }
        }
    }

    /// Takes the former number again, so that its leases stay this notifier's, or else another.
    private func become(_ former: LeaseHolder?, on connection: PostgresConnection) async throws -> LeaseHolder? {
        guard let former else {
            try await Schema.require(on: connection)
            return try await connection.execute(BecomeLeaseHolder()).first
        }
        if let again = try await connection.execute(ReturnAsLeaseHolder(former)).first { return again }
        return try await connection.execute(BecomeLeaseHolder()).first
    }

    /// Looks for notifiers that are gone, which also tells whether this session is still there, and after the clock that leases and
    /// retries go by.
    private func watch(_ connection: PostgresConnection, _ onNews: @Sendable () -> Void) async throws {
        var nextNote = ContinuousClock.now
        try await every(settings.interval, startsNow: true) {
            if ContinuousClock.now >= nextNote {
                nextNote = .now + NoteClock.interval
                _ = try await connection.execute(NoteClock())
            }
            let distant = RecallDeliveries(longest: settings.longestWait, slots: Slot.all)
            if let count = try await connection.execute(distant).first, count > 0 {
                logger.warning(
                    "The clock was put back: deliveries waited for times that are far ahead", [.count: "\(count)"])
                onNews()
            }
            let orphans = EndOrphanedLeases(absence: settings.absence, slots: Slot.all)
            if let count = try await connection.execute(orphans).first, count > 0 {
                logger.info("Took over from a notifier that is gone", [.count: "\(count)"])
                metrics.takenOver.increment(by: Int(count))
                onNews()
            }
        }
    }
}
