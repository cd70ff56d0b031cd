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
    /// Positions to keep, by their samples; those of samples that are not stored are not kept.
    var track: [Sample.Key: Position] = [:]
    /// Whether a sample that comes again with other values corrects them, as a site's station does. A device's first value counts.
    var isRevisable = false

    var isEmpty: Bool { samples.isEmpty && statuses.isEmpty && rejects.isEmpty && probes.isEmpty }

    /// The outcome for each sample.
    struct Outcome: Sendable {
        /// Keys of the samples that were new; nil: all of them.
        var newKeys: Set<Sample.Key>?
        /// Samples that the database refused for their values.
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

    /// The careful way: inserts only what is new, and returns which samples that was.
    func insert(_ transaction: PostgresTransaction) throws -> Outcome {
        let samples = try completed(samples, transaction)
        let withReadings = samples.filter(\.hasReadings)
        return try insert(samples, withReadings, transaction)
    }

    /// Derives parameters with the help of earlier parts of the same moment.
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
        if isRevisable, !samples.isEmpty { _ = try transaction.execute(ReviseSamples(samples)) }
        let moved = try insertNearby(untimed.filter { !new.contains($0.key) }, transaction)
        // In order of arrival, in which the engines evaluate them.
        let stored = all.filter { !$0.hasReadings || new.contains($0.key) } + moved
        try finish(transaction, stored)
        // The rest may come from an earlier attempt whose commit a standby has not received yet.
        if new.count < samples.count { try transaction.perform(AwaitEarlierCommits()) }
        // Untimed samples all count as new: stored at their time, near it, or by an earlier attempt of this batch.
        new.formUnion(untimed.map(\.key))
        return Outcome(newKeys: new, stored: stored.count(where: \.hasReadings))
    }

    /// Stores untimed messages whose microsecond is taken at the next free one. Another Ingestor that chose the same
    /// time does not make them repetitions.
    /// - Returns: The samples inserted, with their new times.
    private func insertNearby(_ taken: [Sample], _ transaction: PostgresTransaction) throws -> [Sample] {
        var taken = taken
        var inserted: [Sample] = []
        while !taken.isEmpty {
            // Identical rows were stored by an earlier attempt of our own, whose outcome we did not hear.
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
        if !track.isEmpty { try keepTrack(of: stored, transaction) }
        try tellFollowers(of: stored, added.followed, transaction)
    }

    private func keepTrack(of stored: [Sample], _ transaction: PostgresTransaction) throws {
        let points = stored.compactMap { sample in track[sample.key].map { (key: sample.key, position: $0) } }
        if !points.isEmpty { try transaction.perform(KeepTrack(points)) }
    }

    private func record(_ transaction: PostgresTransaction) throws {
        // Messages that the database refuses are for the operator to look into, whichever device sent them.
        let operators = rejects.filter { $0.device == nil || $0.reason == RejectReason.refused.rawValue }
        if !operators.isEmpty { try transaction.perform(RecordRejects(operators)) }
        if rejects.contains(where: { $0.device != nil }) { try transaction.perform(CountDeviceRejects(rejects)) }
    }

    /// - Returns: `began`, the start of the transaction or a little later, nil when nothing was stored; and the slots
    ///   that somebody follows, nil when they were not looked up.
    private func addBatches(
        of stored: [Sample], _ transaction: PostgresTransaction
    ) throws -> (began: Timestamp?, followed: SlotSet?) {
        guard !stored.isEmpty else { return (nil, nil) }
        let batches = Self.evaluationBatches(of: stored)
        guard !batches.isEmpty else { return (try transaction.execute(ReadClosingClock()).first, nil) }
        let added = try transaction.execute(AddEvaluationBatches(batches)).first
        return (added?.began, added?.followed)
    }

    /// Notifies live followers of the devices in this batch; sends nothing where nobody follows. The transaction
    /// notifies the engines anyway, so commits queue no longer for it.
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

    /// Marks the hours of late samples as due again; does nothing for samples that come in time.
    private func markLate(_ stored: [Sample], began: Timestamp, _ transaction: PostgresTransaction) throws {
        let late = DueHour.among(stored, began: began)
        if !late.isEmpty { try transaction.perform(MarkHoursDue(late)) }
    }

    /// One batch for each slot, with its messages in order of arrival.
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
