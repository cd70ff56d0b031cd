import Backoff
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import WaterQuality

/// Moves deliveries through a notifier: they are leased, sent, recorded.
///
/// The number under way is bounded: nothing more is leased before there is room to send and to record it.
struct DeliveryLoop: Sendable {
    let wake = LeasingSignal()
    let pool: PostgresPool
    let leaseKeeper: LeaseKeeper
    let truth: TruthCheck
    let sender: Sender
    let recorder: Recorder
    let settings: NotifierSettings
    let metrics: NotifierMetrics
    let heartbeat: Heartbeat
    let connected: ReadinessFlag
    let logger: Logger

    init(
        channels: [Endpoint.Channel: any DeliveryChannel], pool: PostgresPool, leaseKeeper: LeaseKeeper,
        settings: NotifierSettings, metrics: NotifierMetrics, heartbeat: Heartbeat, connected: ReadinessFlag,
        logger: Logger
    ) {
        let recorder = Recorder(pool: pool, metrics: metrics, logger: logger)
        let truth = TruthCheck(pool: pool, patience: settings.patienceForDatabase, logger: logger)
        self.truth = truth
        sender = Sender(
            channels: channels, leaseKeeper: leaseKeeper, truth: truth, settings: settings, metrics: metrics,
            logger: logger,
            onAttempts: { recorder.add($0) }, onGivenBack: { recorder.release($0, after: $1) })
        self.recorder = recorder
        self.pool = pool
        self.leaseKeeper = leaseKeeper
        self.settings = settings
        self.metrics = metrics
        self.heartbeat = heartbeat
        self.connected = connected
        self.logger = logger
    }

    /// Leases until it is told to stop; then what is on its way may end and is recorded, and the rest is given back.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await recorder.run(sending: { sender.outstanding }, onProgress: wake.progress)
            }
            group.addTask { await truth.run() }
            group.addTask {
                await send()
                truth.finish()
                recorder.finish()
            }
            try await withGracefulShutdownHandler {
                try await lease()
            } onGracefulShutdown: {
                wake.signal.finish()
            }
            connected.set(false)
            recorder.release(sender.stop(), after: .zero)
            try await group.waitForAll()
        }
    }

    /// Sends until the sender is stopped; after SIGTERM requests have a bounded time to end.
    private func send() async {
        // Requests that are not done by then are cancelled, and their leases end.
        try? await withTimeout(settings.grace, from: gracefulShutdown) { await sender.run() }
    }
}
