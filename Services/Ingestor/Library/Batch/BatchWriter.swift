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

    /// Looks devices up that the registry does not know yet.
    ///
    /// Each batch asks for all of its unknown names, with one statement: a device that was added a moment ago is heard with its
    /// first reading, for what is rejected is acknowledged and never comes again. A name that does not exist costs less than a
    /// reading of one that does.
    func findDevices(of messages: [MQTTMessage], now: Timestamp, _ devices: SharedDeviceRegistry) async throws {
        try await findChoices(now: .now, devices)
        let missing = devices.registry.withLock { registry in
            registry.namesToFind(among: messages.lazy.compactMap { Topic($0.topic)?.device.text })
        }
        guard !missing.isEmpty else { return }
        let found = try await untilItSucceeds { try await pool.execute(FindDevices(missing)) }
        devices.registry.withLock { $0.record(found: found, now: now) }
    }

    /// Looks for what people chose, of the devices that the registry knows.
    func findChoices(now: ContinuousClock.Instant, _ devices: SharedDeviceRegistry) async throws {
        guard let duration = devices.registry.withLock({ $0.seekChoices(now: now) }) else { return }
        let choices = try await untilItSucceeds { try await pool.execute(FindChoices(since: duration)) }
        devices.registry.withLock { registry in
            for choice in choices { registry.choose(choice.probe, of: choice.device) }
        }
    }

    /// Notes what probes reported, as far as the database takes it now. Call it when nobody waits for the batch any more.
    func note(_ reported: [ReportedProbe]) async {
        guard !reported.isEmpty else { return }
        do {
            _ = try await withTimeout(Self.noteLimit) { try await pool.perform(NoteReportedProbes(reported)) }
        } catch {
            logger.debug("Could not note what probes reported", [.error: "\(error)", .count: "\(reported.count)"])
        }
    }

    private static let noteLimit = Duration.seconds(1)

    /// Returns after the commit.
    /// - Parameter batch: One that is closed.
    func write(_ batch: IngestBatch) async throws -> BatchTransaction.Outcome {
        let work = BatchTransaction(
            samples: batch.samples, statuses: Array(batch.statuses.values), rejects: batch.rejects,
            probes: batch.probes)
        return try await write(work, carefully: batch.mayRepeat)
    }

    private enum Way: Sendable {
        case copy(CopyBuffer)
        case insert

        var isCopy: Bool { if case .copy = self { true } else { false } }
    }

    /// - Parameter carefully: Something may be stored already, so that the fast way would fail.
    func write(_ work: BatchTransaction, carefully: Bool) async throws -> BatchTransaction.Outcome {
        guard !work.isEmpty else { return BatchTransaction.Outcome(newKeys: [], stored: 0) }
        var way = carefully ? Way.insert : .copy(Self.rows(of: work.samples))
        var madePartitions = false
        while true {
            do {
                // After a failure what is stored may be this batch: only the careful way tells.
                return try await untilItSucceeds({ try await attempt(work, way) }, onFailure: { way = .insert })
            } catch let error as PostgresError {
                if error.code == .uniqueViolation, way.isCopy {
                    way = .insert
                } else if error.isMissingPartition, !madePartitions {
                    madePartitions = true
                    try await makePartitions(for: work)
                } else if error.blamesValues {
                    return try await writeParts(of: work, after: error)
                } else {
                    throw error
                }
            }
        }
    }

    /// Around today, and of the days that history is of.
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

    /// The database refuses a value in the batch for good. Halving finds it, and the rest is kept.
    private func writeParts(
        of work: BatchTransaction, after error: PostgresError
    ) async throws -> BatchTransaction.Outcome {
        logger.error("The database refuses a batch", [.error: "\(error)", .batchMessages: "\(work.samples.count)"])
        guard work.samples.count > 1 else { return try await writeWithoutSample(of: work, after: error) }
        let middle = work.samples.count / 2
        let first = try await write(
            BatchTransaction(
                samples: Array(work.samples[..<middle]), statuses: work.statuses, rejects: work.rejects,
                probes: work.probes),
            carefully: true)
        let second = try await write(
            BatchTransaction(samples: Array(work.samples[middle...]), statuses: [], rejects: []), carefully: true)
        return BatchTransaction.Outcome(
            newKeys: (first.newKeys ?? []).union(second.newKeys ?? []), refused: first.refused.union(second.refused),
            stored: first.stored + second.stored)
    }

    /// Gives up the one sample that is left, and tells why among the rejects.
    private func writeWithoutSample(
        of work: BatchTransaction, after error: PostgresError
    ) async throws -> BatchTransaction.Outcome {
        guard let sample = work.samples.first else { throw error }
        let reject = RecordRejects.Reject(
            receivedAt: sample.receivedAt, device: sample.key.owner, topic: "",
            reason: RejectReason.refused.rawValue, detail: error.description, payload: [])
        _ = try await write(
            BatchTransaction(
                samples: [], statuses: work.statuses, rejects: work.rejects + [reject], probes: work.probes),
            carefully: true)
        metrics.rejects[.refused].increment()
        return BatchTransaction.Outcome(newKeys: [], refused: [sample.key], stored: 0)
    }

    private static func rows(of samples: [Sample]) -> CopyBuffer {
        var rows = CopyBuffer(capacity: samples.count * 192 + 64)
        for sample in samples where sample.hasReadings { CopySamples.append(sample, to: &rows) }
        return rows
    }

    private func untilItSucceeds<Value: Sendable>(
        _ operation: () async throws -> Value, onFailure: () -> Void = {}
    ) async throws -> Value {
        try await keepTrying(
            "the database", backoff: Backoff(base: .milliseconds(50), cap: .seconds(2)), logger: logger,
            isRetriable: { error in
                guard PostgresError.isRetriable(error) else { return false }
                onFailure()
                return true
            }, { _ in try await operation() })
    }
}

extension PostgresError {
    /// No partition takes the row. Every event time is near our own clock or within what is kept, so no device is to blame.
    fileprivate var isMissingPartition: Bool { code == .checkViolation && constraint == nil }

    /// Whether a value in a row is at fault, and not the database, its rights or this program. Only then may anything
    /// be given up: a reading that was refused for another reason has to come again.
    fileprivate var blamesValues: Bool {
        switch code {
        case .checkViolation: !isMissingPartition
        case .notNullViolation, .foreignKeyViolation, .uniqueViolation, .exclusionViolation, .unencodable: true
        case .other(let sqlState): sqlState.hasPrefix("22")
        default: false
        }
    }
}
