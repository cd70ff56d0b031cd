import Logging
import Postgres
import PushTargets
package import ServiceKit
import ServiceLifecycle
import Store
import WaterQuality

/// Brings alerts to people's endpoints, as long as the process lives.
///
/// A delivery is leased, sent outside of any transaction, and recorded. Any number of notifiers may run; whoever dies
/// leaves leases that end. A repeat carries the same id.
package struct Notifier: Service, CustomStringConvertible {
    let pool: PostgresPool
    private let listener: PostgresListener
    private let client: PushClient
    let settings: NotifierSettings
    let metrics: NotifierMetrics
    let sender: Sender
    let recorder: Recorder
    let wake = Wake()
    let heartbeat: Heartbeat
    let connected: ReadinessFlag
    let logger: Logger

    /// - Throws: `PostgresError` if the database's URL cannot be used.
    package init(_ configuration: NotifierConfiguration, _ facilities: Facilities) throws {
        let database = try PostgresConfiguration(
            url: configuration.database.url, password: configuration.database.password?.revealed,
            applicationName: "aqua-notifier")
        settings = configuration.settings
        logger = facilities.logger
        metrics = NotifierMetrics(facilities.metrics)
        heartbeat = facilities.health.heartbeat("leasing", within: .seconds(30))
        connected = facilities.health.readinessFlag("database")
        // One leases, one records, one measures.
        pool = PostgresPool(database, size: 3)
        listener = PostgresListener(database, channels: [Channel.alert])
        client = PushClient(
            policy: .init(allowed: configuration.allowed), authorityFile: configuration.authorityFile,
            limits: settings.limits)
        let recorder = Recorder(pool: pool, metrics: metrics, logger: logger)
        sender = Sender(
            channels: [.webhook: WebhookChannel(key: configuration.secretKey, client: client)], settings: settings,
            metrics: metrics, logger: logger, onAttempt: { recorder.add($0) },
            onPutOff: { [settings, metrics] leases in
                metrics.putOff.increment(by: leases.count)
                recorder.release(leases, after: settings.putOff)
            })
        self.recorder = recorder
    }

    package var description: String { "notifier" }

    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            group.addTask {
                try await listener.withEvents { events in
                    for await _ in events { wake.signal() }
                }
            }
            group.addTask { try await tick() }
            defer { group.cancelAll() }
            try await work()
        }
        await client.shutdown()
    }

    /// What nobody tells: retries that come due, leases of dead notifiers that end.
    private func tick() async throws {
        while true {
            try await Task.sleep(for: settings.interval)
            wake.signal()
        }
    }

    /// Leases until it is told to stop; then what is on its way may end and is recorded, and the rest is given back.
    private func work() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await recorder.run(sending: { sender.outstanding }, onProgress: wake.progress)
            }
            group.addTask {
                await send()
                recorder.finish()
            }
            try await withGracefulShutdownHandler {
                try await lease()
            } onGracefulShutdown: {
                wake.finish()
            }
            connected.set(false)
            recorder.release(sender.stop(), after: .zero)
            try await group.waitForAll()
        }
    }

    /// Sends until the sender is stopped; after SIGTERM requests have a bounded time to end.
    private func send() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await sender.run() }
            group.addTask {
                // Both end early only by cancellation, which is the purpose.
                try? await gracefulShutdown()
                try? await Task.sleep(for: settings.grace)
            }
            await group.next()
            group.cancelAll()
        }
    }
}
