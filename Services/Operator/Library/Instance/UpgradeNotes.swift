/// A note that an operator has to read before an upgrade.
struct UpgradeNote: Sendable {
    /// The migration that the note is about.
    var migration: Int32
    var text: String

    /// All notes, for instances whose copies are replaced one by one. Compose and `deploy/run` replace all at once.
    static let all: [UpgradeNote] = []

    static func needed(for migrations: [Int32]) -> [UpgradeNote] { all.filter { migrations.contains($0.migration) } }
}
