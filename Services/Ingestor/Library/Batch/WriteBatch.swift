import Postgres
import Store
import WaterQuality

/// The transaction of a batch: samples, batches to evaluate, statuses and rejects, or nothing of them.
struct WriteBatch: Sendable {
    let samples: [Sample]
    let statuses: [RecordStatuses.Status]
    let rejects: [RecordRejects.Reject]

    /// What was stored.
    struct Outcome: Sendable {
        /// Nil: all samples were new.
        var newKeys: Set<Sample.Key>?
        var stored: Int

        func isNew(_ key: Sample.Key) -> Bool { newKeys?.contains(key) ?? true }
    }

    /// The fast way: one COPY, which fails with `uniqueViolation` when a sample is stored already.
    func copy(_ transaction: PostgresTransaction, _ rows: CopyBuffer) throws -> Outcome {
        if !samples.isEmpty { try transaction.copy(into: CopySamples.self, rows: rows) }
        try finish(transaction, samples[...])
        return Outcome(newKeys: nil, stored: samples.count)
    }

    /// The careful way, which finds out what is new.
    /// - Parameter mayBeOurs: An earlier attempt ended in the dark, so that what is stored already may be its work.
    func insert(_ transaction: PostgresTransaction, mayBeOurs: Bool) throws -> Outcome {
        var new = Set(try transaction.execute(InsertNewSamples(samples)))
        // A message without a time of its own is no repetition because another Ingestor chose the same microsecond.
        var collided = mayBeOurs ? [] : samples.filter { $0.flags.contains(.timedByReceipt) && !new.contains($0.key) }
        var moved: [Sample] = []
        while !collided.isEmpty {
            for index in collided.indices { collided[index].eventTime = collided[index].eventTime + .microseconds(1) }
            let stored = Set(try transaction.execute(InsertNewSamples(collided)))
            moved += collided.filter { stored.contains($0.key) }
            collided.removeAll { stored.contains($0.key) }
        }
        let evaluated = samples.filter { new.contains($0.key) } + moved
        try finish(transaction, evaluated[...])
        for sample in samples where sample.flags.contains(.timedByReceipt) { new.insert(sample.key) }
        return Outcome(newKeys: new, stored: evaluated.count)
    }

    private func finish(_ transaction: PostgresTransaction, _ stored: ArraySlice<Sample>) throws {
        let batches = Self.evaluationBatches(of: stored)
        if !batches.isEmpty { _ = try transaction.perform(AddEvaluationBatches(batches)) }
        if !statuses.isEmpty { _ = try transaction.perform(RecordStatuses(statuses)) }
        if !rejects.isEmpty { _ = try transaction.perform(RecordRejects(rejects)) }
    }

    /// One batch for each slot, with its messages in the order in which they came.
    static func evaluationBatches(of samples: ArraySlice<Sample>) -> [AddEvaluationBatches.Batch] {
        var positions = Array(repeating: -1, count: Int(Slot.count))
        var batches: [AddEvaluationBatches.Batch] = []
        for sample in samples where !sample.flags.contains(.notEvaluated) {
            var position = positions[Int(sample.slot.rawValue)]
            if position < 0 {
                position = batches.count
                positions[Int(sample.slot.rawValue)] = position
                batches.append(AddEvaluationBatches.Batch(slot: sample.slot, receivedAt: sample.receivedAt))
            }
            batches[position].messages.append(
                device: sample.device, time: sample.eventTime, readings: sample.readings)
        }
        return batches
    }
}
