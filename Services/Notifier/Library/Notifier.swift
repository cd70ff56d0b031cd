import Backoff
import DatabaseHealth
import Instants
import Logging
import Mail
import Messaging
import Postgres
import PushClient
import PushTargets
package import ServiceKit
import ServiceLifecycle
import Store
import WaterQuality
import Words

/// Brings alerts to people's endpoints, as long as the process lives.
///
/// A delivery is leased, sent outside of any transaction, and recorded. Any number of notifiers may run; the leases of
/// one that dies end with it. A repeat carries the same id.
package struct Notifier: Service, CustomStringConvertible {
    private let configuration: NotifierConfiguration
    private let pool: PostgresPool
    private let listener: PostgresListener
    private let leaseKeeper: LeaseKeeper
    private let announcer: KeyAnnouncer
    private let metrics: NotifierMetrics
    private let canary: CanaryMetrics
    private let clock: WallClock
    private let heartbeat: Heartbeat
    private let connected: ReadinessFlag
    private let commits: CommitWatch
    private let logger: Logger
    /// For leasing, recording and measuring; now and then for a mail about an account.
    private static let connections = 3

    /// - Throws: `PostgresError` if the database's URL cannot be used.
    package init(_ configuration: NotifierConfiguration, _ facilities: Facilities) throws {
        let database = try PostgresConfiguration(configuration.database, service: "aqua-notifier")
        commits = CommitWatch(database, facilities)
        self.configuration = configuration
        logger = facilities.logger
        metrics = NotifierMetrics(
            facilities.metrics, sendingLimit: configuration.settings.bounds.running)
        canary = CanaryMetrics(facilities.metrics)
        clock = facilities.clock
        heartbeat = facilities.health.heartbeat("leasing", within: .seconds(30))
        let connected = facilities.health.readinessFlag("database")
        let poolOutage = OutageLog(subject: "database connections", logger: facilities.logger)
        let pool = PostgresPool(
            database, size: Self.connections, onConnectFailure: { poolOutage.failed(because: $0.explanation) },
            onReconnect: poolOutage.succeeded)
        facilities.metrics.addSchemaVersion(Schema.version)
        facilities.metrics.addDatabaseConnection { connected.isReady }
        facilities.metrics.addDatabasePool(
            limit: Self.connections, open: { pool.openCount }, inUse: { pool.inUseCount },
            waiting: { pool.waitingCount })
        self.connected = connected
        self.pool = pool
        let listenerOutage = OutageLog(subject: "listening for alerts", logger: facilities.logger)
        listener = PostgresListener(
            database, channels: [Channel.alert],
            onConnectFailure: { listenerOutage.failed(because: $0.explanation) }, onReconnect: listenerOutage.succeeded)
        let leaseKeeper = LeaseKeeper(database, configuration.settings, metrics, logger)
        self.leaseKeeper = leaseKeeper
        announcer = KeyAnnouncer(
            keys: configuration.webPush?.keys, apps: configuration.apps, pool: pool, settings: configuration.settings,
            logger: logger, mayBegin: { leaseKeeper.current != nil })
        if configuration.webPush == nil {
            logger.warning(
                "Nothing is sent to browsers: web push needs both AQUA_VAPID_KEY_FILE and AQUA_PUBLIC_URL")
        }
    }

    package var description: String { "notifier" }

    package func run() async throws { try await Brand.$current.withValue(configuration.brand) { try await send() } }

    private func send() async throws {
        let settings = configuration.settings
        try await withClients { client, appClient in
            let mail = configuration.mail.map { MailClient($0) }
            let mailer = accountMailer(mail)
            let loop = DeliveryLoop(
                channels: channels(client, Courier(client: client, mail: mail), appClient),
                pool: pool, leaseKeeper: leaseKeeper, settings: settings, metrics: metrics, heartbeat: heartbeat,
                connected: connected, logger: logger)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await pool.run() }
                group.addTask { try await commits.run() }
                group.addTask {
                    try await listener.withEvents { events in
                        for await _ in events { loop.wake.raise() }
                    }
                }
                group.addTask { try await leaseKeeper.run(onNews: loop.wake.raise) }
                group.addTask {
                    // Retries that come due and leases of frozen notifiers that end are not notified.
                    try await every(settings.interval) { loop.wake.raise() }
                }
                if let mailer { group.addTask { try await mailer.run() } }
                group.addTask { try await announcer.run() }
                group.addTask {
                    try await WayWatch(
                        pool: pool, interval: settings.lookAtWays, metrics: metrics, logger: logger,
                        mayBegin: { [leaseKeeper] in leaseKeeper.current != nil }
                    ).run()
                }
                group.addTask {
                    try await CanaryWatch(
                        pool: pool, client: client, heartbeat: configuration.heartbeat, interval: settings.lookAtCanary,
                        clock: clock, metrics: canary, logger: logger,
                        mayBegin: { [leaseKeeper] in leaseKeeper.current != nil }
                    ).run()
                }
                group.addTask {
                    try await RegularSender(
                        pool: pool, interval: settings.lookForRegular, metrics: metrics, logger: logger,
                        mayBegin: { [leaseKeeper] in leaseKeeper.current != nil }
                    ).run()
                }
                group.addTask { try await loop.run() }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }

    /// Opens a client for where people want to be told, and one for the push services of apps.
    private func withClients(_ body: (PushClient, PushClient) async throws -> Void) async throws {
        let policy = PushTargetPolicy(allowed: configuration.allowed)
        let names = NameLookup(ask: configuration.settings.ask)
        let settings = configuration.settings
        try await PushClient.with(
            policy: policy, authorityFile: configuration.authorityFile, limits: settings.limits, names: names
        ) { client in
            try await PushClient.with(
                policy: policy, authorityFile: configuration.authorityFile, limits: settings.appLimits, names: names
            ) { appClient in
                try await body(client, appClient)
            }
        }
    }

    /// - Returns: nil where no mail is sent, or links would lead nowhere.
    private func accountMailer(_ mail: MailClient?) -> AccountMailer? {
        guard let mail, let origin = configuration.origin else { return nil }
        return AccountMailer(
            pool: pool, mail: mail, origin: origin, settings: configuration.settings, metrics: metrics, logger: logger,
            mayBegin: { [leaseKeeper] in leaseKeeper.current != nil })
    }

    private func channels(
        _ client: PushClient, _ courier: Courier, _ appClient: PushClient
    ) -> [Endpoint.Channel: any DeliveryChannel] {
        let (keys, origin) = (configuration.secretKeys, configuration.origin)
        func apps() -> AppSending { AppSending(origin: origin, keys: keys, client: appClient, metrics: metrics) }
        var channels: [Endpoint.Channel: any DeliveryChannel] = [
            .webhook: WebhookChannel(origin: configuration.origin, keys: keys, client: client, metrics: metrics),
            .webPush: WebPushChannel(settings: configuration.webPush, keys: keys, client: client, metrics: metrics),
            .apns: APNsChannel(settings: configuration.apns, apps: apps()),
            .fcm: FCMChannel(settings: configuration.fcm, apps: apps()),
        ]
        for service in MessagingServices.all {
            channels[service.channel] = MessagingChannel(
                service: service, origin: origin, keys: keys, courier: courier)
        }
        return channels
    }
}
