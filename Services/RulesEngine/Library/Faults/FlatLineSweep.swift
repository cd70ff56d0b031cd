import Postgres
import Store
import WaterQuality

/// Looks through the hours that were rolled up for values that have stayed the same for too long, some devices at a time, and notes
/// them. The next reading of such a probe decides what is told.
struct FlatLineSweep {
    /// The most devices of one transaction.
    static let limit = 100
    /// How many transactions follow each other before it is looked for silence again, which may not wait for long.
    static let looksAtOnce = 20

    struct Report: Sendable {
        var found = 0
        /// Whether more may be behind.
        var isUnfinished = false
    }

    func perform(_ transaction: PostgresTransaction) throws -> Report {
        guard let look = try transaction.execute(TakeFlatLineLook()).first else { return Report() }
        let devices = try transaction.execute(ListDevicesToLookAt(look, limit: Self.limit))
        let lines = try devices.isEmpty ? [] : find(look, devices, transaction)
        if !lines.isEmpty { try transaction.perform(NoteFlatLines(lines)) }
        try transaction.perform(SetFlatLineLook(look, reached: devices.count < Self.limit ? nil : devices.last))
        return Report(found: lines.count, isUnfinished: true)
    }

    private func find(
        _ look: FlatLineLook, _ devices: [Device.ID], _ transaction: PostgresTransaction
    ) throws -> [(key: ProbeKey, line: FlatLine)] {
        let suspects = try transaction.execute(FindUnchanged(look, devices: devices))
        guard !suspects.isEmpty else { return [] }
        var hours: [ProbeKey: [FlatLine.Hour]] = [:]
        for row in try transaction.execute(ReadFlatLineHours(suspects, until: look.until)) {
            hours[row.key, default: []].append(row.hour)
        }
        let worked = try transaction.execute(FindLastWork(Array(Set(suspects.map(\.device)))))
        let lastWork = Dictionary(uniqueKeysWithValues: worked.map { ($0.device, $0.endsAt) })
        return suspects.compactMap { key in
            guard let thresholds = key.parameter?.qualityThresholds,
                let line = FlatLine.find(hours[key] ?? [], since: lastWork[key.device], by: thresholds)
            else { return nil }
            return (key, line)
        }
    }
}
