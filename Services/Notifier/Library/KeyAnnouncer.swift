import Backoff
import Logging
import Postgres
import ServiceKit
import Store
import WebPush

/// Tells the Gateways, through the database, with which keys browsers may subscribe: a Notifier that can serve them says so.
struct KeyAnnouncer: Sendable {
    /// nil when nothing is sent to browsers, which is told as well.
    let keys: Renewable<VAPIDKeys>?
    let pool: PostgresPool
    let settings: NotifierSettings
    let logger: Logger
    /// Whether the database is known to be of this version.
    let mayBegin: @Sendable () -> Bool

    /// Announces them until it is cancelled, read anew each time: an operator may have added one.
    func run() async throws {
        var next = ContinuousClock.now
        try await keepTrying("announcing keys", logger: logger, isRetriable: PostgresError.isRetriable) {
            (outage: Outage) -> Void in
            try await every(settings.interval, startsNow: true) {
                guard mayBegin(), ContinuousClock.now >= next else { return }
                let announced = (keys?.renewed().publicKeys ?? []).map {
                    AnnounceVAPIDKeys.Key(id: $0.id, publicKey: $0.bytes)
                }
                try await pool.transaction(TransactionOptions(isDurable: false)) {
                    _ = try $0.perform(AnnounceVAPIDKeys(announced))
                }
                outage.end()
                // One that sends nothing must not take back again and again what others announce.
                next = .now + (keys == nil ? .seconds(365 * 86_400) : settings.announcement)
            }
        }
    }
}
