import Backoff
import Instants
import Logging
import MQTT
import Postgres
import ServiceKit
import Store
import WaterQuality

/// A batch that the database refuses because of some message in it. Halving finds the messages at fault, which are set
/// aside among the rejects; everything else is committed.
///
/// Nothing is given up for a fault that concerns all messages, such as a missing right: before a message is blamed, the
/// database has to take a neutral one.
struct RefusedBatch {
    let writer: BatchWriter
    let work: BatchTransaction
    let batch: IngestBatch?

    /// A part that the database refuses alone.
    private struct Suspect {
        var part: BatchTransaction
        var error: PostgresError
    }

    /// - Throws: The error, where the database refuses neutral readings too.
    func write(after error: PostgresError) async throws -> BatchTransaction.Outcome {
        writer.logger.error(
            "The database refuses a batch", [.error: "\(error)", .batchMessages: "\(work.samples.count)"])
        try await requireHealth(or: error)
        var outcome = BatchTransaction.Outcome(newKeys: [], stored: 0)
        var suspects: [Suspect] = []
        try await writeParts(of: work, after: error, &outcome, &suspects)
        // Suspects are tried once more, now that the others are safe: a conflict may have passed.
        var guilty: [Suspect] = []
        for suspect in suspects {
            do {
                outcome.add(try await writer.commit(suspect.part, carefully: true))
            } catch let error as PostgresError where error.mayBlameMessage {
                guilty.append(Suspect(part: suspect.part, error: error))
            }
        }
        guard let first = guilty.first else { return outcome }
        try await requireHealth(or: first.error)
        try await setAside(guilty, &outcome)
        return outcome
    }

    private func writeParts(
        of part: BatchTransaction, after error: PostgresError, _ outcome: inout BatchTransaction.Outcome,
        _ suspects: inout [Suspect]
    ) async throws {
        guard let halves = part.halves else { return suspects.append(Suspect(part: part, error: error)) }
        for half in [halves.0, halves.1] {
            do {
                // No further attempts at a fault that was there a moment ago: the other messages would wait for it.
                outcome.add(try await writer.commit(half, carefully: true, patience: 1))
            } catch let error as PostgresError where error.mayBlameMessage {
                try await writeParts(of: half, after: error, &outcome, &suspects)
            }
        }
    }

    /// Requires that the database takes a neutral batch. Several are tried, because a fault that strikes at random may hit one.
    private func requireHealth(or error: PostgresError) async throws {
        guard let now = work.receivedAt ?? batch?.receivedAt else { throw error }
        for number in 0..<8 {
            if try await writer.isTaken(.neutral(now, number)) { return }
        }
        throw error
    }

    // MARK: Refused messages

    private func setAside(_ guilty: [Suspect], _ outcome: inout BatchTransaction.Outcome) async throws {
        var rejects: [RecordRejects.Reject] = []
        for suspect in guilty {
            guard let reject = reject(of: suspect) else {
                writer.logger.error("The database refuses a reject or a note", [.error: "\(suspect.error)"])
                continue
            }
            outcome.refused.formUnion(suspect.part.samples.map(\.key))
            writer.metrics.rejects[.refused].increment()
            writer.logger.error(
                "The database refuses a message, which was set aside",
                [.topic: "\(reject.topic)", .error: "\(suspect.error)"])
            rejects.append(reject)
        }
        while !rejects.isEmpty {
            let some = Array(rejects.prefix(RecordRejects.maximum))
            rejects.removeFirst(some.count)
            try await record(some[...])
        }
    }

    /// Records rejects. Those that the database refuses as well are only logged.
    private func record(_ rejects: ArraySlice<RecordRejects.Reject>) async throws {
        do {
            _ = try await writer.commit(
                BatchTransaction(samples: [], statuses: [], rejects: Array(rejects)), carefully: true)
        } catch let error as PostgresError where error.mayBlameMessage {
            guard rejects.count > 1 else {
                return writer.logger.error("The database refuses a reject", [.error: "\(error)"])
            }
            let middle = rejects.startIndex + rejects.count / 2
            try await record(rejects[..<middle])
            try await record(rejects[middle...])
        }
    }

    /// The reject for a suspect; nil where it was a reject itself, or only a note about a probe.
    private func reject(of suspect: Suspect) -> RecordRejects.Reject? {
        let (device, receivedAt, source): (DeviceKey, Timestamp, MQTTMessage?)
        if let sample = suspect.part.samples.first {
            (device, receivedAt) = (sample.key.owner, sample.receivedAt)
            source = batch?.source(of: sample.key)
        } else if let status = suspect.part.statuses.first {
            device = DeviceKey(slot: status.slot, device: status.device)
            receivedAt = status.at
            source = batch?.source(ofStatus: device)
        } else {
            return nil
        }
        return RecordRejects.Reject(
            receivedAt: receivedAt, device: device,
            topic: source.map { String($0.topic.prefix(200)) } ?? "device \(device)",
            reason: RejectReason.refused.rawValue, detail: suspect.error.description,
            payload: source.flatMap { $0.isOld ? nil : $0.payloadBesideReject } ?? [])
    }
}

extension BatchTransaction {
    fileprivate var count: Int { samples.count + statuses.count + rejects.count + probes.count }

    /// Time of receipt of any message in it.
    fileprivate var receivedAt: Timestamp? {
        samples.first?.receivedAt ?? statuses.first?.at ?? rejects.first?.receivedAt
    }

    /// Two parts. Samples are separated from the rest first, so that few transactions find the fault; nil for a single item.
    fileprivate var halves: (BatchTransaction, BatchTransaction)? {
        guard count > 1 else { return nil }
        var (first, second) = (Self.none, self)
        // Of either part, positions are kept with their samples.
        first.track = track
        first.isRevisable = isRevisable
        if !samples.isEmpty, samples.count < count {
            swap(&first.samples, &second.samples)
        } else if !statuses.isEmpty, statuses.count < count {
            swap(&first.statuses, &second.statuses)
        } else if !rejects.isEmpty, rejects.count < count {
            swap(&first.rejects, &second.rejects)
        } else {
            let middle = count / 2
            first.samples = Array(samples.prefix(middle))
            first.statuses = Array(statuses.prefix(middle))
            first.rejects = Array(rejects.prefix(middle))
            for (device, probe) in probes.prefix(middle) { first.probes[device] = probe }
            second.samples.removeFirst(first.samples.count)
            second.statuses.removeFirst(first.statuses.count)
            second.rejects.removeFirst(first.rejects.count)
            for device in first.probes.keys { second.probes[device] = nil }
        }
        return (first, second)
    }

    private static let none = BatchTransaction(samples: [], statuses: [], rejects: [])

    private static let neutralWater: Readings = {
        var readings = Readings()
        readings[.temperature] = 20
        return readings
    }()

    /// A sample with its position, a status and a reject of a device that does not exist.
    fileprivate static func neutral(_ now: Timestamp, _ number: Int) -> BatchTransaction {
        let (slot, device) = (Slot.all[number % Slot.all.count], Device.ID(rawValue: 0))
        let time = now - .seconds(number)
        let sample = Sample(
            slot: slot, device: device, at: EventTime(device: time, receipt: now), receivedAt: now,
            readings: neutralWater)
        return BatchTransaction(
            samples: [sample], statuses: [RecordStatuses.Status(slot: slot, device: device, online: true, at: now)],
            rejects: [
                RecordRejects.Reject(
                    receivedAt: now, topic: "", reason: RejectReason.refused.rawValue, detail: "", payload: [])
            ], track: [sample.key: Position(storedLatitude: 0, longitude: 1, accuracy: nil)])
    }
}

extension BatchTransaction.Outcome {
    fileprivate mutating func add(_ part: Self) {
        newKeys = (newKeys ?? []).union(part.newKeys ?? [])
        refused.formUnion(part.refused)
        stored += part.stored
    }
}
