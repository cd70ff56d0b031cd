/// How a database's schema relates to a program's migrations.
package enum MigrationState: Hashable, Sendable {
    case upToDate
    /// This migration and all later ones are missing.
    case behind(next: Int32)
    /// All migrations are there; these scripts have another text, or were not applied yet.
    case scripts([String])
    /// The database has a migration that the program does not know.
    case ahead(newest: Int32)
    /// This migration's text is not the one that was applied.
    case changed(number: Int32)
    /// This migration is missing, although a later one was applied.
    case gap(missing: Int32)
    /// The database was built before the program's baseline, and not up to where that takes over.
    case tooOld(version: Int32, takenOver: Int32)

    /// The message to an operator; nil when a service may start.
    /// - Parameter command: The command that migrates.
    package func refusal(command: String = "aqua migrate") -> String? {
        switch self {
        case .upToDate: nil
        case .behind(let next):
            "The database lacks migration \(next) and later ones: run `\(command)`."
        case .scripts(let names):
            "The functions in the database are not this program's (\(names.joined(separator: ", "))): "
                + "run `\(command)` of the newest version."
        case .ahead(let newest):
            "The database has migration \(newest), which this program does not know: "
                + "install the version whose `\(command)` made it."
        case .changed(let number):
            "Migration \(number) was changed after it had been applied: restore its text; `\(command)` refuses it as well."
        case .gap(let missing):
            "The database lacks migration \(missing) but has later ones: it was not made by `\(command)` alone."
        case .tooOld(let version, let takenOver):
            "The database has schema \(version), and this program goes on from schema \(takenOver): "
                + "run `\(command)` of the version before this one first."
        }
    }
}

/// A migration's fingerprint, from the program or from the database.
struct MigrationRecord: Hashable, Sendable {
    let number: Int32
    let checksum: [UInt8]
    /// Checksums of earlier texts; only the program knows them.
    var formerChecksums: [[UInt8]] = []

    func matches(_ applied: MigrationRecord) -> Bool {
        checksum == applied.checksum || formerChecksums.contains(applied.checksum)
    }
}

extension MigrationState {
    /// - Parameters:
    ///   - known: The program's, numbered without gaps: from 1, or from its baseline.
    ///   - steps: Those that the baseline takes over from, numbered from 1.
    ///   - applied: The database's, by number.
    init(known: [MigrationRecord], steps: [MigrationRecord] = [], applied: [MigrationRecord]) {
        let first = known.first?.number ?? 1
        let before = applied.filter { $0.number < first }
        let since = applied.filter { $0.number >= first }
        // Whatever a baseline has taken over is history.
        guard since.isEmpty, !before.isEmpty else {
            self =
                Self.compared(known, since, from: first)
                ?? (since.count < known.count ? .behind(next: first + Int32(since.count)) : .upToDate)
            return
        }
        self =
            Self.compared(steps, before, from: 1)
            ?? (before.count < steps.count
                ? .tooOld(version: Int32(before.count), takenOver: Int32(steps.count)) : .behind(next: first))
    }

    /// - Returns: nil where what was applied is the beginning of what is known.
    private static func compared(
        _ known: [MigrationRecord], _ applied: [MigrationRecord], from first: Int32
    ) -> MigrationState? {
        for (index, record) in applied.enumerated() {
            let expected = first + Int32(index)
            if record.number != expected { return .gap(missing: expected) }
            guard index < known.count else { return .ahead(newest: applied.last?.number ?? expected) }
            if !known[index].matches(record) { return .changed(number: expected) }
        }
        return nil
    }
}
