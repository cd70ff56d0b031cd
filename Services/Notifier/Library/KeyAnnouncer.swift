import Backoff
import Logging
import Postgres
import ServiceKit
import Store
import WaterQuality
import WebPush

/// Tells the Gateways, through the database, with which keys browsers may subscribe, and which apps may register: a Notifier that can serve
/// them says so.
struct KeyAnnouncer: Sendable {
    /// nil when nothing is sent to browsers, which is told as well.
    let keys: Renewable<VAPIDKeys>?
    /// The names of the apps at their push services.
    let apps: [Endpoint.Channel: String]
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
                try await pool.transaction(TransactionOptions(isDurable: false)) { transaction in
                    _ = try transaction.perform(AnnounceVAPIDKeys(announced))
                    _ = try transaction.perform(AnnounceAppChannels(apps))
                }
                outage.end()
                next = .now + settings.announcement
            }
        }
    }
}
