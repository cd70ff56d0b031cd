import Backoff
import Logging
import Postgres
import ServiceKit
import Store
import Synchronization
import WaterQuality

/// The number under which this notifier leases, good as long as a session of its own holds the number's lock.
///
/// When the process dies the session ends, and other notifiers end its leases. While the session is lost and not yet back
/// there is no number: nothing is leased, and nothing is sent that was leased and not begun, as others may have it by now.
final class Holding: Sendable {
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

    /// nil while the lock may not be ours.
    var current: LeaseHolder? { number.withLock(\.self) }

    /// Holds a number, and ends the leases of notifiers that are gone, until the task is cancelled.
    /// - Parameter onNews: Called when there may be something to lease.
    func run(onNews: @Sendable () -> Void) async throws {
        var outage = OutageLog(subject: "holding leases", logger: logger)
        var backoff = Backoff.reconnecting
        var former: LeaseHolder?
        while true {
            do {
                let connection = try await PostgresConnection.connect(database)
                former = try await become(former, on: connection)
                number.withLock { $0 = former }
                outage.succeeded()
                backoff.reset()
                onNews()
                try await watch(connection, onNews)
            } catch {
                number.withLock { $0 = nil }
                guard (error as? PostgresError)?.isRetriable ?? false, !Task.isCancelled else { throw error }
                outage.failed(error)
                try await Task.sleep(for: backoff.next())
            }
        }
    }

    /// Takes the number that was ours, so that what we leased stays ours, or else another.
    private func become(_ former: LeaseHolder?, on connection: PostgresConnection) async throws -> LeaseHolder? {
        guard let former else {
            try await Schema.require(on: connection)
            return try await connection.execute(BecomeLeaseHolder()).first
        }
        if let again = try await connection.execute(ReturnAsLeaseHolder(former)).first { return again }
        return try await connection.execute(BecomeLeaseHolder()).first
    }

    /// Looks for notifiers that are gone, and so finds out whether this session is still there; and looks after the clock, by which
    /// leases and retries are told.
    private func watch(_ connection: PostgresConnection, _ onNews: @Sendable () -> Void) async throws -> Never {
        var nextNote = ContinuousClock.now
        while true {
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
            try await Task.sleep(for: settings.interval)
        }
    }
}
