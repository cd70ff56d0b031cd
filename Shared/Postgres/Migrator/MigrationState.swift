/// One step of the schema. Once released, its number and the schema that it leaves never change.
package struct Migration: Hashable, Sendable {
    package let number: Int32
    package let name: String
    package let sql: String
    /// SHA-256 of earlier texts that left the same schema, in hexadecimal digits, for a step whose text had to change,
    /// such as one that needed more rights. A database that applied an earlier text counts as equal.
    package let formerChecksums: [String]

    package init(number: Int32, name: String, sql: String, formerChecksums: [String] = []) {
        self.number = number
        self.name = name
        self.sql = sql
        self.formerChecksums = formerChecksums
    }
}

/// How a database's schema relates to a program's migrations.
package enum MigrationState: Hashable, Sendable {
    case upToDate
    /// This migration and all later ones are missing.
    case behind(next: Int32)
    /// The database has a migration that the program does not know.
    case ahead(newest: Int32)
    /// This migration's text is not the one that was applied.
    case changed(number: Int32)
    /// This migration is missing, although a later one was applied.
    case gap(missing: Int32)

    /// The message to an operator; nil when a service may start.
    /// - Parameter command: The command that migrates.
    package func refusal(command: String = "aqua migrate") -> String? {
        switch self {
        case .upToDate: nil
        case .behind(let next):
            "The database lacks migration \(next) and later ones: run `\(command)`."
        case .ahead(let newest):
            "The database has migration \(newest), which this program does not know: "
                + "install the version whose `\(command)` made it."
        case .changed(let number):
            "Migration \(number) was changed after it had been applied: restore its text; `\(command)` refuses it as well."
        case .gap(let missing):
            "The database lacks migration \(missing) but has later ones: it was not made by `\(command)` alone."
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
    ///   - known: The program's records, numbered from 1 without gaps.
    ///   - applied: The database's records, by number.
    init(known: [MigrationRecord], applied: [MigrationRecord]) {
        for (index, record) in applied.enumerated() {
            let expected = Int32(index + 1)
            if record.number != expected {
                self = .gap(missing: expected)
                return
            }
            guard index < known.count else {
                self = .ahead(newest: applied.last?.number ?? expected)
                return
            }
            if !known[index].matches(record) {
                self = .changed(number: expected)
                return
            }
        }
        self = applied.count == known.count ? .upToDate : .behind(next: Int32(applied.count + 1))
    }
}
