import Backoff
import Instants
import Logging
import MQTT
import Postgres
import ServiceKit
import Store
import Synchronization
import WaterQuality

/// Commits batches, however long that takes: a database that is away stops the flow and loses nothing.
struct BatchWriter: Sendable {
    let pool: PostgresPool
    let logger: Logger
    let metrics: IngestorMetrics

    /// Looks up devices that the registry does not know yet.
    ///
    /// Every batch asks for all of its unknown names in one statement, so that a device added a moment ago is heard
    /// from its first reading on: a rejected message is acknowledged and never comes again. Looking up an unknown name
    /// costs less than storing a reading.
    /// - Parameter kind: What messages may be of.
    func findDevices(
        of messages: [MQTTMessage], as kind: Device.Kind = .device, now: Timestamp,
        _ devices: SharedDeviceRegistry
    ) async throws {
        try await findChoices(now: .now, devices)
        let missing = devices.registry.withLock { registry in
            registry.namesToFind(among: messages.lazy.compactMap { Topic($0.topic)?.device.text })
        }
        if !missing.isEmpty {
            let found = try await untilItSucceeds { try await pool.execute(FindDevices(missing, kind: kind)) }
            devices.registry.withLock { $0.record(found: found, now: now) }
        }
        try await recallSamples(of: messages, now: now, devices)
    }

    /// Looks up the last samples of devices that send each value by itself: once, and again while inputs are missing.
    private func recallSamples(
        of messages: [MQTTMessage], now: Timestamp, _ devices: SharedDeviceRegistry
    ) async throws {
        var asked = devices.registry.withLock { registry in
            registry.devicesToRecall(among: messages.lazy.compactMap { Topic($0.topic) }, now: now)
        }[...]
        while !asked.isEmpty {
            let some = Array(asked.prefix(FindLastSamples.mostDevices))
            asked.removeFirst(some.count)
            let rows = try await untilItSucceeds { try await pool.execute(FindLastSamples(of: some, now: now)) }
            devices.registry.withLock { $0.recall(some, rows, now: now) }
        }
    }

    /// Fetches people's recent choices of probes, for the devices in the registry.
    func findChoices(now: ContinuousClock.Instant, _ devices: SharedDeviceRegistry) async throws {
        guard let duration = devices.registry.withLock({ $0.seekChoices(now: now) }) else { return }
        let choices = try await untilItSucceeds { try await pool.execute(FindChoices(since: duration)) }
        devices.registry.withLock { registry in
            for choice in choices { registry.choose(choice.probe, of: choice.device) }
        }
    }

    /// Notes what probes reported; gives up after `noteLimit`. Call it once nothing waits for the batch any more.
    func note(_ reported: [ReportedProbe]) async {
        guard !reported.isEmpty else { return }
        do {
            _ = try await withTimeout(Self.noteLimit) { try await pool.perform(NoteReportedProbes(reported)) }
        } catch {
            logger.debug("Could not note what probes reported", [.error: "\(error)", .count: "\(reported.count)"])
        }
    }

    /// Notes what devices said of themselves, likewise.
    func note(_ lives: [DeviceKey: LifeReport]) async {
        guard !lives.isEmpty else { return }
        do {
            _ = try await withTimeout(Self.noteLimit) { try await pool.perform(NoteDeviceLives(lives)) }
        } catch {
            logger.debug("Could not note how devices live", [.error: "\(error)", .count: "\(lives.count)"])
        }
    }

    private static let noteLimit = Duration.seconds(1)

    /// Returns after the commit.
    /// - Parameters:
    ///   - batch: A closed batch.
    ///   - kind: Whether devices or sites measured its values.
    func write(_ batch: IngestBatch, of kind: Device.Kind = .device) async throws -> BatchTransaction.Outcome {
        let work = BatchTransaction(
            samples: batch.samples, statuses: Array(batch.statuses.values), rejects: batch.rejects,
            probes: batch.probes, track: batch.track, isRevisable: kind == .site)
        return try await write(work, carefully: batch.mayRepeat, of: batch)
    }

    /// - Parameters:
    ///   - carefully: Whether something may be stored already, so that the fast way would fail.
    ///   - batch: The batch in which to find the messages that the database refuses.
    /// - Throws: The error with which the database refuses everything. Nothing of the batch is given up then.
    func write(
        _ work: BatchTransaction, carefully: Bool, of batch: IngestBatch? = nil
    ) async throws -> BatchTransaction.Outcome {
        guard !work.isEmpty else { return BatchTransaction.Outcome(newKeys: [], stored: 0) }
        do {
            return try await commit(work, carefully: carefully)
        } catch let error as PostgresError where error.mayBlameMessage {
            return try await RefusedBatch(writer: self, work: work, batch: batch).write(after: error)
        }
    }

    private enum Way: Sendable {
        case copy(CopyBuffer)
        case insert

        var isCopy: Bool { if case .copy = self { true } else { false } }
    }

    /// Commits all of it or nothing.
    /// - Parameter patience: Attempts at an error that usually passes, such as a deadlock, but may be a message's fault.
    func commit(
        _ work: BatchTransaction, carefully: Bool, patience: Int = BatchWriter.patience
    ) async throws -> BatchTransaction.Outcome {
        var way = carefully ? Way.insert : .copy(Self.rows(of: work.samples))
        var madePartitions = false
        while true {
            do {
                // After a failure, rows found in the table may be this batch's own; only the careful way can tell.
                return try await untilItSucceeds(
                    { try await attempt(work, way) }, patience: patience, onFailure: { way = .insert })
            } catch let error as PostgresError {
                if error.code == .uniqueViolation, way.isCopy {
                    way = .insert
                } else if error.isMissingPartition, !madePartitions {
                    madePartitions = true
                    try await makePartitions(for: work)
                } else {
                    throw error
                }
            }
        }
    }

    /// Whether the database takes readings at all. Tried with readings of a device that does not exist, rolled back at once.
    func isTaken(_ neutral: BatchTransaction) async throws -> Bool {
        struct TakenBack: Error {}
        do {
            try await untilItSucceeds(
                {
                    try await pool.transaction { transaction -> Void in
                        _ = try neutral.insert(transaction)
                        throw TakenBack()
                    }
                }, patience: Self.patience)
        } catch is TakenBack {
            return true
        } catch let error as PostgresError {
            logger.debug("The database refuses a neutral reading too", [.error: "\(error)"])
        }
        return false
    }

    /// Creates the partitions around today, and those of the batch's historical readings.
    private func makePartitions(for work: BatchTransaction) async throws {
        _ = try await untilItSucceeds { try await pool.execute(MakePartitions()) }
        let history = work.samples.filter { $0.hasReadings && $0.eventTime < $0.receivedAt - EventTime.furthestBack }
        guard !history.isEmpty else { return }
        _ = try await untilItSucceeds { try await pool.execute(MakePartitionsOfDays(history.map(\.eventTime))) }
    }

    private func attempt(_ work: BatchTransaction, _ way: Way) async throws -> BatchTransaction.Outcome {
        try await pool.transaction { transaction in
            switch way {
            case .copy(let rows): try work.copy(transaction, rows)
            case .insert: try work.insert(transaction)
            }
        }
    }

    private static func rows(of samples: [Sample]) -> CopyBuffer {
        var rows = CopyBuffer(capacity: samples.count * 192 + 64)
        for sample in samples where sample.hasReadings { CopySamples.append(sample, to: &rows) }
        return rows
    }

    /// Attempts at a transaction that conflicts with others, before its messages are suspected.
    static let patience = 4

    /// - Parameter patience: Most attempts at errors that the work itself may cause; nil: no limit.
    private func untilItSucceeds<Value: Sendable>(
        _ operation: () async throws -> Value, patience: Int? = nil, onFailure: () -> Void = {}
    ) async throws -> Value {
        var doubtful = 0
        return try await keepTrying(
            "the database", backoff: Backoff(base: .milliseconds(50), cap: .seconds(2)), logger: logger,
            isRetriable: { error in
                guard let error = error as? PostgresError, error.isRetriable else { return false }
                if let patience, error.mayBlameMessage {
                    doubtful += 1
                    if doubtful >= patience { return false }
                }
                onFailure()
                return true
            }, { _ in try await operation() })
    }
}

extension PostgresError {
    /// Whether the row's partition is missing. Every event time is near the receipt or within retention, so the
    /// partition has to be created.
    fileprivate var isMissingPartition: Bool { code == .checkViolation && constraint == nil }

    /// Whether a message may be at fault. In doubt it may, because triggers can raise any error. Never where the
    /// connection, the server or our own program fails: readings are then kept until it works again.
    var mayBlameMessage: Bool {
        switch code {
        case .serializationFailure, .deadlock, .lockNotAvailable, .queryCanceled: true
        case .configuration, .closed, .migration, .sharedSession: false
        default: !isRetriable
        }
    }
}
