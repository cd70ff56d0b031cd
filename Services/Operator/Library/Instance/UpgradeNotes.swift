/// A note that an operator has to read before an upgrade.
struct UpgradeNote: Sendable {
    /// The migration that the note is about.
    var migration: Int32
    var text: String

    /// All notes, for instances whose copies are replaced one by one. Compose and `deploy/run` replace all at once.
    static let all = [
        UpgradeNote(
            migration: 48,
            text:
                "Stop the services of the former version first: they read no parameter that they do not know (phosphate to cyanuric acid)."
        )
    ]

    static func needed(for migrations: [Int32]) -> [UpgradeNote] { all.filter { migrations.contains($0.migration) } }
}
