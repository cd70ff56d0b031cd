import Backoff
import Instants
import Logging
import MQTT
import ServiceKit
import ServiceLifecycle
import Store
import Synchronization
import WaterQuality

/// Moves readings into the database: reads a batch from one broker session, commits it, acknowledges it.
///
/// Nothing is acknowledged before it is committed, and nothing is read while a commit is awaited: when our side is
/// slow, TCP and then the broker's queue hold the messages. Readings that come over HTTP are stored by a lane of their
/// own, in the same way.
struct Lane: Sendable {
    /// The bound of a batch, which is also the session's receive maximum.
    static let batchMessages = 4_096
    static let batchBytes = 4 << 20
    /// How often the broker is asked for a sign of life.
    static let brokerCheck = Duration.seconds(2)
    /// How long an open batch may take to commit once the service is asked to stop.
    static let grace = Duration.seconds(5)

    let writer: BatchWriter
    let metrics: IngestorMetrics
    /// The database's clock, as far as it is known.
    let clock: WallClock
    let clockState: ClockWatch.State
    /// The devices of which readings were deleted.
    let deletions: DeletionLog
    let logger: Logger
    /// The kind that its messages may be of: nothing from outside is of a site.
    var kind = Device.Kind.device
    /// The board for Home Assistant, where it is told.
    var home: HomeBoard?
    /// The board of devices that show what their owners see.
    var shown: DisplayBoard?

    /// Works until the service is asked to stop or the connection fails.
    /// - Parameters:
    ///   - level: Told of the broker's answer after each batch that was not full, in messages or bytes; after a full
    ///     one more may wait.
    ///   - onConsent: Called once, when the broker has answered all subscriptions, with the filters that it refused.
    func run(
        _ consumer: MQTTConsumer, level: Level, onConsent: @Sendable ([String]) -> Void, onTurn: @Sendable () -> Void
    ) async throws {
        let devices = SharedDeviceRegistry()
        var told = IngestorMetrics.DeviceCounts()
        defer {
            metrics.record(DeviceRegistry(), inPlaceOf: &told)
            metrics.isLevel.set(0)
        }
        var hasConsent = false
        while !Task.isShuttingDownGracefully {
            if !hasConsent, await consumer.hasConsent {
                hasConsent = true
                onConsent(await consumer.refusedFilters)
            }
            if hasConsent { try await consumer.checkBroker(every: Self.brokerCheck) }
            if let messages = try await receive(consumer, within: Self.brokerCheck) {
                let (answeredAt, wasFull) = (await consumer.answeredAt, await consumer.wasFull)
                if !messages.isEmpty { try await commit(messages, consumer, devices) }
                if hasConsent, !wasFull { level.note(answeredAt) }
            }
            metrics.isLevel.set(level.isRecent(at: .now) ? 1 : 0)
            keep(devices, &told)
            onTurn()
        }
    }

    /// Works until no message came for `idle`, the service is asked to stop, or the connection fails. The session went
    /// unread for an unknown time, so everything in it counts as old.
    func drain(_ consumer: MQTTConsumer, until idle: Duration, onTurn: @Sendable () -> Void) async throws {
        let devices = SharedDeviceRegistry()
        // The broker sends everything under way before its answer: a session that has answered and sent nothing is empty.
        var patience = await consumer.hasConsent ? Duration.zero : idle
        while var messages = try await receive(consumer, within: patience) {
            patience = idle
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
        let stored = try await store(messages, devices)
        let committed = ContinuousClock.now
        let receipts = stored.batch.receipts.map { $0.message(after: stored.outcome) }
        try await consumer.acknowledge(publishing: receipts + stored.batch.nameless.map(MQTTMessage.removal))
        metrics.acknowledge.observe(.now - committed)
        await writer.note(stored.batch.probeReports)
        await writer.note(stored.batch.lives)
    }

    /// A batch after its commit.
    struct Stored: Sendable {
        let batch: IngestBatch
        /// The outcome for the sender of each message, in order; nil for messages that were shed.
        let answers: [PendingReceipt.Outcome?]
        let outcome: BatchTransaction.Outcome
    }

    /// Decodes messages and commits them, however long that takes; for `grace` at most once the service is asked to stop.
    func store(_ messages: [MQTTMessage], _ devices: SharedDeviceRegistry) async throws -> Stored {
        let started = ContinuousClock.now
        let now = clock.now()
        let stored = try await withTimeout(Self.grace, from: gracefulShutdown) {
            devices.registry.withLock { $0.forgetDeleted(deletions) }
            try await writer.findDevices(of: messages, as: kind, now: now, devices)
            let (batch, answers) = devices.registry.withLock { registry in
                var batch = IngestBatch(receivedAt: now, history: clockState.history)
                let answers = messages.map { batch.add($0, &registry) }
                batch.close()
                return (batch, answers)
            }
            return Stored(batch: batch, answers: answers, outcome: try await writer.write(batch, of: kind))
        }
        metrics.record(
            stored.batch, messages: messages.count, of: devices.registry.withLock(\.canary), stored.outcome,
            took: .now - started)
        home?.note(stored.batch, stored.outcome) { key in devices.registry.withLock { $0.nameAtHome(of: key) } }
        shown?.note(readingsOf: stored.batch.samples.lazy.map(\.device))
        log(stored.batch, messages: messages.count, stored.outcome, took: .now - started, devices)
        return stored
    }

    /// Does what is due besides the messages.
    func keep(_ devices: SharedDeviceRegistry, _ told: inout IngestorMetrics.DeviceCounts) {
        devices.registry.withLock { registry in
            registry.forgetDoubts(now: clock.now())
            metrics.record(registry, inPlaceOf: &told)
        }
    }
}

extension Lane {
    /// Logs a batch at debug and each of its messages at trace, with the keys that later services use too.
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
        for sample in batch.samples where outcome.isNew(sample.key) {
            let name = devices.registry.withLock { $0.name(of: sample.key.owner) }
            logger.log(
                .trace, "Stored a message",
                [
                    .device: "\(name ?? "")", .deviceID: "\(sample.key.owner)",
                    .slot: "\(sample.slot.rawValue)", .eventTime: "\(sample.eventTime)",
                    .receivedAt: "\(batch.receivedAt)",
                ])
        }
    }
}

extension MQTTMessage {
    /// A message that removes what the broker retains at a topic: otherwise one device could make it retain topics
    /// without end.
    fileprivate static func removal(of topic: String) -> MQTTMessage {
        MQTTMessage(topic: topic, payload: [], qos: .atMostOnce, retain: true)
    }
}
