import Backoff
import Instants
import Logging
import MQTT
import ServiceKit
import ServiceLifecycle
import Store
import Synchronization
import WaterQuality

/// Moves readings from one broker session into the database: reads a batch, commits it, acknowledges it.
///
/// Nothing is acknowledged that is not committed, and nothing is read while a commit is awaited: when our side is slow,
/// TCP and then the broker's queue hold what comes.
struct Lane: Sendable {
    /// The bound of a batch, which is also the session's receive maximum.
    static let batchMessages = 4_096
    static let batchBytes = 4 << 20
    /// How long an open batch may take to commit once the service is asked to stop.
    static let grace = Duration.seconds(5)

    let writer: BatchWriter
    let metrics: IngestorMetrics
    let clock: WallClock
    let clockState: ClockWatch.State
    let logger: Logger

    /// Works until the service is asked to stop or the connection fails.
    /// - Parameters:
    ///   - level: Is told when a batch was not full: a session whose window is used up may hold more.
    ///   - onConsent: Called once, when the broker has answered all subscriptions, with those that it refused.
    func run(
        _ consumer: MQTTConsumer, level: Level, onConsent: @Sendable ([String]) -> Void, onTurn: @Sendable () -> Void
    ) async throws {
        let devices = SharedDeviceRegistry()
        defer { metrics.record(DeviceRegistry()) }
        var hasConsent = false
        while !Task.isShuttingDownGracefully {
            if !hasConsent, await consumer.hasConsent {
                hasConsent = true
                onConsent(await consumer.refusedFilters)
            }
            if let messages = try await receive(consumer, within: .seconds(5)) {
                if !messages.isEmpty { try await commit(messages, consumer, devices) }
                if hasConsent, messages.count < Self.batchMessages { level.note(at: .now) }
            }
            devices.registry.withLock { registry in
                registry.forgetDoubts(now: clock.now())
                metrics.record(registry)
            }
            onTurn()
        }
    }

    /// Works until no message came for `idle`, or the service is asked to stop, or the connection fails. The session went unread for an
    /// unknown time, so everything in it counts as old.
    func drain(_ consumer: MQTTConsumer, until idle: Duration, onTurn: @Sendable () -> Void) async throws {
        let devices = SharedDeviceRegistry()
        while var messages = try await receive(consumer, within: idle) {
            if messages.isEmpty {
                if await consumer.hasConsent { return }
                continue
            }
            for index in messages.indices { messages[index].wasKept = true }
            try await commit(messages, consumer, devices)
            onTurn()
        }
    }

    /// - Returns: nil when the service is asked to stop.
    private func receive(_ consumer: MQTTConsumer, within patience: Duration) async throws -> [MQTTMessage]? {
        guard !Task.isShuttingDownGracefully else { return nil }
        do {
            return try await cancelWhenGracefulShutdown {
                try await consumer.receive(
                    maximum: Self.batchMessages, bytes: Self.batchBytes, patience: patience)
            }
        } catch is CancellationError where Task.isShuttingDownGracefully && !Task.isCancelled {
            return nil
        }
    }

    private func commit(
        _ messages: [MQTTMessage], _ consumer: MQTTConsumer, _ devices: SharedDeviceRegistry
    ) async throws {
        let started = ContinuousClock.now
        let now = clock.now()
        let (batch, outcome) = try await withTimeout(Self.grace, from: gracefulShutdown) {
            try await writer.findDevices(of: messages, now: now, devices)
            let batch = devices.registry.withLock { registry in
                var batch = IngestBatch(receivedAt: now, history: clockState.history)
                for message in messages { batch.add(message, &registry) }
                return batch
            }
            return (batch, try await writer.write(batch))
        }
        metrics.record(batch, messages: messages.count, outcome, took: .now - started)
        log(batch, messages: messages.count, outcome, took: .now - started, devices)
        let committed = ContinuousClock.now
        try await consumer.acknowledge(publishing: batch.receipts.map { $0.message(after: outcome) })
        metrics.acknowledge.observe(.now - committed)
    }
}

extension Lane {
    /// Logs a batch at debug and each of its messages at trace, with the keys that the later services use too.
    private func log(
        _ batch: IngestBatch, messages: Int, _ outcome: BatchTransaction.Outcome, took duration: Duration,
        _ devices: SharedDeviceRegistry
    ) {
        guard logger.logLevel <= .debug else { return }
        logger.debug(
            "Stored",
            [
                .receivedAt: "\(batch.receivedAt)", .batchMessages: "\(messages)", .count: "\(outcome.stored)",
                .durationMilliseconds: .stringConvertible(duration / .milliseconds(1)),
            ])
        guard logger.logLevel == .trace else { return }
        let names = devices.registry.withLock { $0.names() }
        for sample in batch.samples where outcome.isNew(sample.key) {
            logger.log(
                .trace, "Stored a message",
                [
                    .device: "\(names[sample.key.owner] ?? "")", .deviceID: "\(sample.key.owner)",
                    .slot: "\(sample.slot.rawValue)", .eventTime: "\(sample.eventTime)",
                    .receivedAt: "\(batch.receivedAt)",
                ])
        }
    }
}
