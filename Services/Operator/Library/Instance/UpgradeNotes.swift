/// A note that an operator has to read before an upgrade.
struct UpgradeNote: Sendable {
    /// The migration that the note is about.
    var migration: Int32
    var text: String

    /// All notes, for instances whose copies are replaced one by one. Compose and `deploy/run` replace all at once.
    static let all = [
        UpgradeNote(
            migration: 10,
            text:
                "The broker lets devices in under their own client ids alone: aqua doctor lists accounts that are still open."
        ),
        UpgradeNote(
            migration: 25,
            text:
                "deploy/broker/init, or setup, writes the topics of other firmware into the broker's rules: start the broker again."
        ),
        UpgradeNote(migration: 28, text: gatewaysFirst("rate of change")),
        UpgradeNote(migration: 30, text: gatewaysFirst("limits told ahead")),
        UpgradeNote(
            migration: 32,
            text: "Upgrade every Ingestor and every RulesEngine before the first Gateway: people choose the probe."),
        UpgradeNote(migration: 33, text: gatewaysFirst("flat lines")),
        UpgradeNote(
            migration: 34,
            text:
                "Upgrade the Notifiers first. While RulesEngines of both versions decide, somebody may be told once more."
        ),
        UpgradeNote(
            migration: 38,
            text:
                "Upgrade every Ingestor before the broker's configuration, which setup, or deploy/broker/init, writes."),
        UpgradeNote(
            migration: 40, text: "Run deploy/containers/roles once more where Compose does not: the Gateway's rights."),
        UpgradeNote(
            migration: 43,
            text:
                "Upgrade every Notifier before the first Gateway, and run aqua reseal at the end: addresses are sealed."
        ),
    ]

    static func needed(for migrations: [Int32]) -> [UpgradeNote] { all.filter { migrations.contains($0.migration) } }

    private static func gatewaysFirst(_ kind: String) -> String {
        "Upgrade every Gateway and every Notifier before the first RulesEngine: a kind of alert is new (\(kind))."
    }
}
