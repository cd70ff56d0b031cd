import Instants
import Postgres
import Store
import WaterQuality

/// The transaction that stores a batch: samples, batches to evaluate, statuses and rejects, or none of them.
struct BatchTransaction: Sendable {
    var samples: [Sample]
    var statuses: [RecordStatuses.Status]
    var rejects: [RecordRejects.Reject]
    var probes: [DeviceKey: ProbeID] = [:]

    var isEmpty: Bool { samples.isEmpty && statuses.isEmpty && rejects.isEmpty && probes.isEmpty }

    /// The result for each sample.
    struct Outcome: Sendable {
        /// Nil: all of them were new.
        var newKeys: Set<Sample.Key>?
        /// The samples that the database refused for their values.
        var refused: Set<Sample.Key> = []
        var stored: Int

        func isNew(_ key: Sample.Key) -> Bool { newKeys?.contains(key) ?? true }
    }

    /// The fast way: one COPY, which fails with `uniqueViolation` when a sample is stored already.
    func copy(_ transaction: PostgresTransaction, _ rows: CopyBuffer) throws -> Outcome {
        let stored = samples.count(where: \.hasReadings)
        if stored > 0 { try transaction.copy(into: CopySamples.self, rows: rows) }
        try finish(transaction, samples)
        return Outcome(newKeys: nil, stored: stored)
    }

    /// The careful way, which finds out what is new.
    func insert(_ transaction: PostgresTransaction) throws -> Outcome {
        let samples = try completed(samples, transaction)
        let withReadings = samples.filter(\.hasReadings)
        return try insert(samples, withReadings, transaction)
    }

    /// With what is computed from parts of the same moment that came before.
    private func completed(_ samples: [Sample], _ transaction: PostgresTransaction) throws -> [Sample] {
        let former = Dictionary(try transaction.execute(FindFormerParts(samples)).map { ($0.key, $0.readings) }) {
            first, _ in first
        }
        guard !former.isEmpty else { return samples }
        return samples.map { sample in
            guard let stored = former[sample.key], sample.hasReadings else { return sample }
            var sample = sample
            sample.readings.derive(with: stored)
            return sample
        }
    }

    private func insert(
        _ all: [Sample], _ samples: [Sample], _ transaction: PostgresTransaction
    ) throws -> Outcome {
        var new = Set(try transaction.execute(InsertNewSamples(samples)))
        let untimed = samples.filter { $0.flags.contains(.timedByReceipt) }
        let moved = try insertNearby(untimed.filter { !new.contains($0.key) }, transaction)
        // In the order in which they came, as they are decided.
        let stored = all.filter { !$0.hasReadings || new.contains($0.key) } + moved
        try finish(transaction, stored)
        // The others may be there by an attempt that a standby does not have yet.
        if new.count < samples.count { try transaction.perform(AwaitEarlierCommits()) }
        // Stored all of them: at their time, near it, or by an attempt before this one.
        new.formUnion(untimed.map(\.key))
        return Outcome(newKeys: new, stored: stored.count(where: \.hasReadings))
    }

    /// A message without a time of its own is no repetition because another Ingestor chose the same microsecond: it
    /// goes to the next that is free.
    /// - Returns: What was inserted, with the times that it has now.
    private func insertNearby(_ taken: [Sample], _ transaction: PostgresTransaction) throws -> [Sample] {
        var taken = taken
        var inserted: [Sample] = []
        while !taken.isEmpty {
            // Stored exactly so: by an attempt of our own whose end we did not hear.
            let ours = Set(try transaction.execute(FindStoredSamples(taken)))
            taken.removeAll { ours.contains($0.key) }
            for index in taken.indices { taken[index].yieldTime() }
            let new = Set(try transaction.execute(InsertNewSamples(taken)))
            inserted += taken.filter { new.contains($0.key) }
            taken.removeAll { new.contains($0.key) }
        }
        return inserted
    }

    private func finish(_ transaction: PostgresTransaction, _ stored: [Sample]) throws {
        let added = try addBatches(of: stored, transaction)
        if let began = added.began { try markLate(stored, began: began, transaction) }
        if !statuses.isEmpty { try transaction.perform(RecordStatuses(statuses)) }
        try record(transaction)
        if !probes.isEmpty { try transaction.perform(NoteProbes(probes)) }
        try tellFollowers(of: stored, added.followed, transaction)
    }

    private func record(_ transaction: PostgresTransaction) throws {
        // What the database refuses is for the operator to mend, whosever it is.
        let operators = rejects.filter { $0.device == nil || $0.reason == RejectReason.refused.rawValue }
        if !operators.isEmpty { try transaction.perform(RecordRejects(operators)) }
        if rejects.contains(where: { $0.device != nil }) { try transaction.perform(CountDeviceRejects(rejects)) }
    }

    /// - Returns: When the transaction began, or a little later; nil when nothing was stored. And the slots that are
    ///   followed; nil when that was not found out.
    private func addBatches(
        of stored: [Sample], _ transaction: PostgresTransaction
    ) throws -> (began: Timestamp?, followed: SlotSet?) {
        guard !stored.isEmpty else { return (nil, nil) }
        let batches = Self.evaluationBatches(of: stored)
        guard !batches.isEmpty else { return (try transaction.execute(ReadClosingClock()).first, nil) }
        let added = try transaction.execute(AddEvaluationBatches(batches)).first
        return (added?.began, added?.followed)
    }

    /// Names the devices that somebody looks at; says nothing when nobody does. The transaction notifies engines anyway,
    /// so that this adds nothing to what commits queue for.
    private func tellFollowers(
        of stored: [Sample], _ followed: SlotSet?, _ transaction: PostgresTransaction
    ) throws {
        var slots = followed
        if slots == nil, !statuses.isEmpty { slots = try transaction.execute(FindFollowedSlots()).first }
        guard let slots, !slots.isEmpty else { return }
        var devices = Set<Device.ID>()
        for sample in stored where !sample.flags.contains(.notEvaluated) && slots.contains(sample.slot) {
            devices.insert(sample.device)
        }
        for status in statuses where slots.contains(status.slot) { devices.insert(status.device) }
        guard !devices.isEmpty else { return }
        _ = try transaction.execute(NotifyReadings(ReadingNotice(Array(devices))))
    }

    /// Nothing at all for samples that come in time.
    private func markLate(_ stored: [Sample], began: Timestamp, _ transaction: PostgresTransaction) throws {
        let late = DueHour.among(stored, began: began)
        if !late.isEmpty { try transaction.perform(MarkHoursDue(late)) }
    }

    /// One batch for each slot, with its messages in the order in which they came.
    static func evaluationBatches(of samples: [Sample]) -> [AddEvaluationBatches.Batch] {
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
                device: sample.device, time: sample.eventTime, readings: sample.readings,
                brokenProbes: sample.brokenProbes)
        }
        return batches
    }
}
