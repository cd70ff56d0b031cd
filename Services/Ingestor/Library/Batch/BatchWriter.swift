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
    func findDevices(of messages: [MQTTMessage], now: Timestamp, _ heard: HeardDevices) async throws {
        let missing = heard.registry.withLock { registry in
            registry.namesToFind(among: messages.lazy.compactMap { Topic($0.topic)?.device.text }, now: now)
        }
        guard !missing.isEmpty else { return }
        let found = try await untilItSucceeds { try await pool.execute(FindDevices(missing)) }
        heard.registry.withLock { $0.record(found: found, askedFor: missing, now: now) }
    }

    /// Returns after the commit.
    func write(_ batch: IngestBatch) async throws -> WriteBatch.Outcome {
        let work = WriteBatch(
            samples: batch.samples, statuses: Array(batch.statuses.values), rejects: batch.rejects)
        guard !work.samples.isEmpty || !work.statuses.isEmpty || !work.rejects.isEmpty else {
            return WriteBatch.Outcome(newKeys: nil, stored: 0)
        }
        return try await write(work, carefully: batch.mayRepeat)
    }

    private func write(_ work: WriteBatch, carefully: Bool) async throws -> WriteBatch.Outcome {
        var way = carefully ? Way.insert : .copy(Self.rows(of: work.samples))
        var isInTheDark = false
        var madePartitions = false
        while true {
            do {
                return try await untilItSucceeds(onFailure: {
                    // From here on what is stored may be this batch: only the careful way tells.
                    isInTheDark = true
                    way = .insert
                }) {
                    try await attempt(work, way, mayBeOurs: isInTheDark)
                }
            } catch let error as PostgresError {
                switch error.code {
                case .uniqueViolation where way.isCopy: way = .insert
                case .checkViolation where !madePartitions:
                    madePartitions = true
                    _ = try await untilItSucceeds { try await pool.execute(MakeSamplePartitions()) }
                default: return try await writeParts(of: work, after: error)
                }
            }
        }
    }

    private enum Way: Sendable {
        case copy(CopyBuffer)
        case insert

        var isCopy: Bool { if case .copy = self { true } else { false } }
    }

    private func attempt(_ work: WriteBatch, _ way: Way, mayBeOurs: Bool) async throws -> WriteBatch.Outcome {
        try await pool.transaction { transaction in
            switch way {
            case .copy(let rows): try work.copy(transaction, rows)
            case .insert: try work.insert(transaction, mayBeOurs: mayBeOurs)
            }
        }
    }

    /// The database refuses something in the batch for good. Halving finds it, and the rest is kept.
    private func writeParts(of work: WriteBatch, after error: PostgresError) async throws -> WriteBatch.Outcome {
        logger.error("The database refuses a batch", [.error: "\(error)", .batchMessages: "\(work.samples.count)"])
        if work.samples.count <= 1 {
            guard let sample = work.samples.first else { throw error }
            metrics.rejects[.refused].increment()
            let reject = RecordRejects.Reject(
                receivedAt: sample.receivedAt, topic: "device \(sample.device.rawValue)",
                reason: RejectReason.refused.rawValue, detail: error.description, payload: [])
            return try await write(
                WriteBatch(samples: [], statuses: work.statuses, rejects: work.rejects.prefix(RecordRejects.maximum - 1) + [reject]),
                carefully: false)
        }
        let middle = work.samples.count / 2
        let first = WriteBatch(
            samples: Array(work.samples[..<middle]), statuses: work.statuses, rejects: work.rejects)
        let second = WriteBatch(samples: Array(work.samples[middle...]), statuses: [], rejects: [])
        let outcomes = [
            try await write(first, carefully: true), try await write(second, carefully: true),
        ]
        return WriteBatch.Outcome(
            newKeys: outcomes.reduce(into: []) { $0.formUnion($1.newKeys ?? []) },
            stored: outcomes.reduce(0) { $0 + $1.stored })
    }

    private static func rows(of samples: [Sample]) -> CopyBuffer {
        var rows = CopyBuffer(capacity: samples.count * 128 + 64)
        for sample in samples { CopySamples.append(sample, to: &rows) }
        return rows
    }

    private func untilItSucceeds<Value: Sendable>(
        onFailure: () -> Void = {}, _ operation: () async throws -> Value
    ) async throws -> Value {
        try await withRetries(
            "the database", backoff: Backoff(base: .milliseconds(50), cap: .seconds(2)), logger: logger,
            isRetriable: { error in
                guard (error as? PostgresError)?.isRetriable ?? false else { return false }
                onFailure()
                return true
            }, operation)
    }
}
