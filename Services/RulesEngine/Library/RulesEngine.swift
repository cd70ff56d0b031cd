import Backoff
import Logging
import Postgres
package import ServiceKit
import ServiceLifecycle
import Store
import Synchronization
import WaterQuality

/// Turns batches of readings into episodes and alerts, as long as the process lives.
///
/// Any number of engines may run: the row of a slot is its lock, and an engine that finds a slot locked leaves it to
/// the other. An engine that misses a notification looks by itself once a second.
package struct RulesEngine: Service, CustomStringConvertible {
    private let database: PostgresConfiguration
    private let policy: AlertPolicy
    private let interval: Duration
    private let logger: Logger
    private let metrics: EngineMetrics
    private let heartbeat: Heartbeat
    private let connected: ReadinessFlag

    /// - Throws: `PostgresError` if the database's URL cannot be used.
    package init(_ configuration: RulesConfiguration, _ facilities: Facilities) throws {
        database = try PostgresConfiguration(
            url: configuration.database.url, readPassword: configuration.database.readPassword,
            applicationName: "aqua-rules")
        policy = configuration.policy
        interval = configuration.interval
        logger = facilities.logger
        metrics = EngineMetrics(facilities.metrics)
        heartbeat = facilities.health.heartbeat("engine", within: .seconds(30))
        let connected = facilities.health.readinessFlag("database")
        self.connected = connected
        facilities.metrics.addSchemaVersion(Schema.migrations.count)
        facilities.metrics.addDatabaseConnection { connected.isReady }
    }

    package var description: String { "rules engine" }

    package func run() async throws {
        let waiting = WaitingSlots()
        let listener = PostgresListener(database, channels: [Channel.evaluation])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await listener.withEvents { events in
                    for await event in events {
                        switch event {
                        case .notified(_, let payload): waiting.insert(notified: payload)
                        case .overflow, .mayHaveMissed: waiting.insert(Slot.all)
                        }
                    }
                }
            }
            group.addTask {
                // Nothing else tells that a batch was left behind by an engine that died.
                while true {
                    try await Task.sleep(for: interval)
                    waiting.wake()
                }
            }
            defer { group.cancelAll() }
            try await withGracefulShutdownHandler {
                try await decide(waiting)
            } onGracefulShutdown: {
                waiting.finish()
            }
        }
    }

    /// Connects, decides until the connection fails, and connects again; ends with `waiting`.
    private func decide(_ waiting: WaitingSlots) async throws {
        var backoff = Backoff.reconnecting
        var outage = OutageLog(subject: "deciding", logger: logger)
        while !Task.isShuttingDownGracefully {
            do {
                let connection = try await PostgresConnection.connect(database)
                try await Schema.require(on: connection)
                outage.succeeded()
                waiting.insert(Slot.all)
                connected.set(true)
                defer { connected.set(false) }
                try await decide(waiting, on: connection) { backoff.reset() }
                return
            } catch {
                guard (error as? PostgresError)?.isRetriable ?? false else { throw error }
                outage.failed(error)
                heartbeat.beat()
                // Ends early only with the task, which the loop looks at.
                try? await Task.sleep(for: backoff.next())
                try Task.checkCancellation()
            }
        }
    }

    private func decide(
        _ waiting: WaitingSlots, on connection: PostgresConnection, onSuccess: () -> Void
    ) async throws {
        // A new connection begins with an empty memory: what an old one remembered may have been lost in a crash of
        // the server, for claims without an alert do not wait for the disk.
        let memory = EngineMemory()
        var routine = Routine(interval: interval)
        var setAside = SlotsSetAside()
        for await _ in waiting.signals {
            var slots: [Slot]
            repeat {
                heartbeat.beat()
                try await look(waiting, &routine, on: connection)
                slots = setAside.without(waiting.takeAll())
                if !slots.isEmpty {
                    do {
                        let report = try await claim(slots, memory, on: connection)
                        waiting.insertQuietly(report.unfinished)
                    } catch let error as UnreadableBatch {
                        logger.error("A batch cannot be read by this version", [.slot: "\(error.slot.rawValue)"])
                        memory.forgetAll()
                        setAside.insert(error.slot)
                        waiting.insertQuietly(slots)
                    }
                }
            } while !slots.isEmpty && !Task.isShuttingDownGracefully
            onSuccess()
        }
    }

    private func claim(
        _ slots: [Slot], _ memory: EngineMemory, on connection: PostgresConnection
    ) async throws -> Claim.Report {
        let claim = Claim(policy: policy)
        let started = ContinuousClock.now
        let report = try await connection.transaction(TransactionOptions(isDurable: false)) { transaction in
            try memory.slots.withLock { try claim.perform(transaction, slots: slots, memory: &$0) }
        }
        metrics.record(report, took: .now - started)
        if report.damagedBatches > 0 {
            logger.error("Batches were damaged and only decided in part", [.count: "\(report.damagedBatches)"])
        }
        if report.messages > 0 {
            logger.debug("Decided", [.batchMessages: "\(report.messages)", .count: "\(report.alerts.count)"])
        }
        log(report.alerts)
        return report
    }

    /// Once they are committed. What is told of the water is the person's and in no line.
    private func log(_ alerts: [AlertRecord]) {
        for alert in alerts {
            var facts: [LogKey: Logger.MetadataValue] = [
                .alertID: "\(alert.uid)", .episodeID: "\(alert.episode)", .purpose: "\(alert.purpose.rawValue)",
                .slot: "\(alert.key.device.slot.rawValue)", .deviceID: "\(alert.key.device)",
                .parameter: "\(alert.key.parameter.name)", .eventTime: "\(alert.eventTime)",
            ]
            if let receivedAt = alert.receivedAt { facts[.receivedAt] = "\(receivedAt)" }
            logger.info("Alert", facts)
        }
    }

    /// What happens by the clock: batches that nobody spoke of, recoveries that come due, the backlog's size.
    private func look(
        _ waiting: WaitingSlots, _ routine: inout Routine, on connection: PostgresConnection
    ) async throws {
        if routine.isTimeToMeasure() {
            let backlog = try await connection.execute(MeasureBacklog()).first
            metrics.waitingMessages.set(Double(backlog?.messages ?? 0))
            metrics.waitingAge.set(backlog?.age ?? 0)
        }
        guard routine.isTimeToLook() else { return }
        waiting.insertQuietly(try await connection.execute(FindWaitingSlots()))
        let sweep = RecoverySweep(policy: policy)
        var taken = RecoverySweep.limit
        while taken == RecoverySweep.limit {
            let done = try await connection.transaction { transaction in
                let now = try transaction.execute(ReadClock())[0]
                return try sweep.perform(transaction, now: now)
            }
            metrics.recoveries.increment(by: done.notices.count)
            log(done.notices)
            taken = done.taken
        }
    }
}

/// The memory of all slots, for the body of one transaction at a time.
private final class EngineMemory: Sendable {
    let slots = Mutex(Array(repeating: SlotMemory(), count: Int(Slot.count)))

    func forgetAll() {
        slots.withLock { slots in
            for index in slots.indices { slots[index].forgetAll() }
        }
    }
}
