import Backoff
import DatabaseHealth
import Logging
import Postgres
package import ServiceKit
import ServiceLifecycle
import Store
import Synchronization
import WaterQuality

/// Turns batches of readings into episodes and alerts, as long as the process lives.
///
/// Any number of engines may run. The row of a slot is its lock, and an engine that finds a slot locked leaves it to
/// the other. An engine that misses a notification looks by itself once a second. Each engine keeps to the slots in
/// which it decided last, so that its memory of them stays valid.
package struct RulesEngine: Service, CustomStringConvertible {
    private let database: PostgresConfiguration
    private let policy: AlertPolicy
    private let interval: Duration
    private let logger: Logger
    private let metrics: EngineMetrics
    private let heartbeat: Heartbeat
    private let connected: ReadinessFlag
    private let commits: CommitWatch
    private let schema = SchemaCheck()

    /// - Throws: `PostgresError` if the database's URL cannot be used.
    package init(_ configuration: RulesConfiguration, _ facilities: Facilities) throws {
        database = try PostgresConfiguration(configuration.database, service: "aqua-rules")
        commits = CommitWatch(database, facilities)
        policy = configuration.policy
        interval = configuration.interval
        logger = facilities.logger
        metrics = EngineMetrics(facilities.metrics)
        heartbeat = facilities.health.heartbeat("engine", within: .seconds(30))
        let connected = facilities.health.readinessFlag("database")
        self.connected = connected
        facilities.metrics.addSchemaVersion(Schema.version)
        facilities.metrics.addDatabaseConnection { connected.isReady }
    }

    package var description: String { "rules engine" }

    package func run() async throws {
        let waiting = WaitingSlots()
        let outage = OutageLog(subject: "listening for batches", logger: logger)
        let listener = PostgresListener(
            database, channels: [Channel.evaluation], onConnectFailure: { outage.failed(because: $0.explanation) },
            onReconnect: outage.succeeded)
        let devices = DeviceWatch(
            database: database, schema: schema, policy: policy, metrics: metrics, logger: logger)
        // Each task tells whether all is done when it ends.
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await listener.withEvents { events in
                    for await event in events {
                        switch event {
                        case .notified(_, let payload): waiting.insert(notified: payload)
                        case .overflow, .mayHaveMissed: waiting.insert(Slot.all)
                        }
                    }
                }
                return false
            }
            group.addTask {
                // No notification comes for a batch that a dead engine left behind.
                try await every(min(interval, OthersSlots.patience)) { waiting.wake() }
            }
            group.addTask {
                try await devices.run()
                return false
            }
            group.addTask {
                try await HolderWatch(database: database, schema: schema, metrics: metrics, logger: logger).run()
                return false
            }
            group.addTask {
                try await commits.run()
                return false
            }
            group.addTask {
                try await withGracefulShutdownHandler {
                    try await serve(waiting)
                } onGracefulShutdown: {
                    waiting.finish()
                }
                return true
            }
            while try await group.next() == false {}
            group.cancelAll()
        }
    }

    /// Connects, decides until the connection fails, and connects again. Ends when `waiting` is finished.
    private func serve(_ waiting: WaitingSlots) async throws {
        try await keepTryingUntilShutdown(
            "deciding", logger: logger, isRetriable: Schema.isRetriable
        ) { outage in
            heartbeat.beat()
            try await heartbeat.whileAwaitingDatabase {
                try await PostgresConnection.with(database) { connection in
                    try await schema.require(on: connection)
                    waiting.insert(Slot.all)
                    connected.set(true)
                    defer { connected.set(false) }
                    try await serve(waiting, on: connection) { outage.end() }
                }
            }
        }
    }

    private func serve(
        _ waiting: WaitingSlots, on connection: PostgresConnection, onSuccess: () -> Void
    ) async throws {
        // A new connection starts with an empty memory. A crash of the server may have lost what the old memory holds,
        // because claims without an alert do not wait for the disk.
        let memory = SharedMemory()
        var view = QueueView(interval: interval)
        var setAside = SlotsSetAside()
        for await _ in waiting.signal {
            var slots: [Slot]
            repeat {
                heartbeat.beat()
                let overdue = setAside.without(try await look(waiting, &view, on: connection))
                slots = view.others.own(among: setAside.without(waiting.takeAll())) + overdue
                if !slots.isEmpty {
                    do {
                        let wanted = memory.slots.withLock { $0.wanted(slots, overdue: Set(overdue), view.floors) }
                        let report = try await claim(wanted, memory, on: connection)
                        view.others.note(asked: slots, claimed: report.claimed)
                        waiting.insertQuietly(report.unfinished)
                    } catch let error as UnreadableBatch {
                        logger.error("A batch cannot be read by this version", [.slot: "\(error.slot.rawValue)"])
                        memory.slots.withLock { $0.forgetAll() }
                        setAside.insert(error.slot)
                        waiting.insertQuietly(slots)
                    }
                }
                // Within the loop: under a steady load there is always another batch.
                onSuccess()
            } while !slots.isEmpty && !Task.isShuttingDownGracefully
        }
    }

    private func claim(
        _ wanted: [Claim.Wanted], _ memory: SharedMemory, on connection: PostgresConnection
    ) async throws -> Claim.Report {
        let claim = Claim(policy: policy)
        let started = ContinuousClock.now
        let report = try await connection.transaction(TransactionOptions(isDurable: false)) { transaction in
            try memory.slots.withLock { try claim.perform(transaction, wanted, memory: &$0) }
        }
        metrics.record(report, took: .now - started)
        if report.damagedBatches > 0 {
            logger.error("Batches were damaged and only decided in part", [.count: "\(report.damagedBatches)"])
        }
        if report.messages > 0 {
            logger.debug("Decided", [.batchMessages: "\(report.messages)", .count: "\(report.alerts.count)"])
        }
        logger.note(report.alerts, report.numbers)
        log(report.clocks)
        return report
    }

    private func log(_ clocks: [(key: DeviceKey, finding: DeviceClock.Finding)]) {
        for (key, finding) in clocks {
            var facts: [LogKey: Logger.MetadataValue] = [
                .slot: "\(key.slot.rawValue)", .deviceID: "\(key.device.rawValue)",
            ]
            if let lag = finding.lagSeconds { facts[.lagSeconds] = "\(lag)" }
            switch finding {
            case .right: logger.info("A device's clock is right again", facts)
            case .off: logger.warning("A device's clock is wrong", facts)
            case .stepped: logger.warning("A device's clock was put back", facts)
            case .unproven: logger.warning("A device's readings come late, by its clock", facts)
            }
        }
    }

    /// Does what is due by the clock: finds batches without a notification, settles recoveries, measures the backlog.
    /// - Returns: The slots that another engine has fallen behind on.
    private func look(
        _ waiting: WaitingSlots, _ view: inout QueueView, on connection: PostgresConnection
    ) async throws -> [Slot] {
        if view.schedule.isTimeToMeasure() { try await measure(view.floors, on: connection) }
        var overdue: [Slot] = []
        if !view.others.toLookAt.isEmpty, view.schedule.isTimeToLookAtOthers() {
            let found = try await connection.execute(FindWaitingBatches(view.floors(view.others.toLookAt)))
            overdue = view.others.overdue(found)
        }
        guard view.schedule.isTimeToLook() else { return overdue }
        if view.schedule.isTimeToRaiseFloors(), let newest = try await connection.execute(FindNewestBatch()).first {
            view.floors.note(newest: newest, writers: try await connection.execute(FindQueueWriters()))
        }
        let isFull = view.schedule.isTimeToLookAtAll()
        let found = try await connection.execute(
            FindWaitingBatches(isFull ? BatchFloors.none : view.floors(Slot.all)))
        view.floors.raise(found)
        waiting.insertQuietly(found.map(\.slot))
        if isFull {
            let latest = RecoveryNotice.longestDelay(policy) + EventTime.furthestAhead + .seconds(60)
            try await connection.perform(HastenRecoveries(latest: latest))
        }
        try await sweep(view.floors, on: connection)
        return overdue
    }

    private func measure(_ floors: BatchFloors, on connection: PostgresConnection) async throws {
        _ = try await connection.execute(NoteClock())
        // Read before the queue, so that batches added meanwhile do not count.
        let newest = try await connection.execute(FindNewestBatch()).first ?? 0
        let heads = try await connection.execute(MeasureBacklog(floors(Slot.all)))
        metrics.waitingMessages.set(heads.reduce(0) { $0 + $1.estimatedMessages(newest: newest) }.rounded())
        metrics.waitingAge.set(heads.map(\.age).max() ?? 0)
        guard let clocks = try await connection.execute(MeasureDeviceClocks()).first else { return }
        metrics.deviceClocks[.behind].set(Double(clocks.behind))
        metrics.deviceClocks[.ahead].set(Double(clocks.ahead))
        metrics.deviceClocks[.unproven].set(Double(clocks.unproven))
    }

    private func sweep(_ floors: BatchFloors, on connection: PostgresConnection) async throws {
        let sweep = RecoverySweep(policy: policy, floors: floors(Slot.all))
        let end = ContinuousClock.now + RecoverySweep.lasts
        var taken = RecoverySweep.limit
        while taken == RecoverySweep.limit, .now < end {
            let done = try await connection.transaction { transaction in
                let now = try transaction.execute(ReadClock())[0]
                return try sweep.perform(transaction, now: now)
            }
            metrics.count(done.notices)
            logger.note(done.notices, done.numbers)
            taken = done.taken
        }
    }
}

extension EngineMemory {
    /// - Parameter overdue: The slots to claim even though another engine decided in them last.
    fileprivate func wanted(_ wanted: [Slot], overdue: Set<Slot>, _ floors: BatchFloors) -> [Claim.Wanted] {
        floors(wanted).map { slot in
            let version = self[slot.slot].stateVersion
            return Claim.Wanted(
                slot: slot.slot, stateVersion: version < 0 || overdue.contains(slot.slot) ? nil : version,
                floor: slot.floor)
        }
    }
}

/// An engine's view of the queue since it connected.
private struct QueueView {
    var schedule: EngineSchedule
    var floors = BatchFloors()
    var others = OthersSlots()

    init(interval: Duration) { schedule = EngineSchedule(interval: interval) }
}
