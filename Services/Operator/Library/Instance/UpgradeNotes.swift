/// A note that an operator has to read before an upgrade.
struct UpgradeNote: Sendable {
    /// The migration that the note is about.
    var migration: Int32
    /// Whether services of the former version cannot go on beside the migrated schema. `deploy/upgrade` then stops them first.
    var asksForStop = false
    var text: String

    /// All notes.
    static let all = [
        parameters(48, "phosphate to cyanuric acid"),
        parameters(49, "silicate"),
        UpgradeNote(
            migration: 52,
            text:
                "Set AQUA_SMTP_URL once all Notifiers are of this version: those of the former one give up what is on its way to a mailbox."
        ),
        UpgradeNote(
            migration: 54,
            text:
                "Upgrade all Notifiers before the first RulesEngine: those of the former version tell at once, to everybody, what is held back for the night."
        ),
        UpgradeNote(
            migration: 55,
            text:
                "Upgrade all Notifiers before the first RulesEngine: those of the former version tell all of a person's endpoints what is for one of them."
        ),
        UpgradeNote(
            migration: 58,
            text:
                "Upgrade all Notifiers right after the migration: those of the former version have no words for a new sign-in, and tell it as an alert that they do not know."
        ),
        UpgradeNote(
            migration: 59,
            text:
                "Upgrade all Notifiers before the first Gateway: those of the former version give up what is on its way to a telephone, and tell endpoints everything that want to hear of nothing but what is critical."
        ),
        UpgradeNote(
            migration: 60,
            text:
                "Upgrade all Notifiers before people choose another form for a webhook: those of the former version send the standard form, whatever was chosen."
        ),
        UpgradeNote(
            migration: 61,
            text:
                "Run deploy/broker/init and start the broker again before people let a device show something: a broker that was configured before refuses buttons and keeps messages of displays that nobody wants any more."
        ),
        UpgradeNote(
            migration: 62,
            text:
                "Set AQUA_APNS_KEY_FILE and AQUA_FCM_KEY_FILE once all Notifiers are of this version: those of the former one give up what is on its way to an app."
        ),
        UpgradeNote(
            migration: 64,
            text:
                "Upgrade all Notifiers within a day of the migration: those of the former version have no words for summaries and weekly notes, and tell them as alerts that they do not know."
        ),
        UpgradeNote(
            migration: 65,
            text:
                "Upgrade all Notifiers right after the migration: those of the former version have no words for a way to which nothing could be sent, and tell it as an alert that they do not know."
        ),
        UpgradeNote(
            migration: 66,
            text:
                "Have devices that sound load the sketch of deploy/firmware anew: the one before took an answer for as long as it did not know the time. An Ingestor of the former version shows nobody who is on it."
        ),
        UpgradeNote(
            migration: 69,
            text:
                "Upgrade all engines and Ingestors before people work on the water: those of the former version alarm meanwhile, and roll up what is measured then like all else."
        ),
        UpgradeNote(
            migration: 70,
            text:
                "Upgrade every Gateway and every Notifier before the first RulesEngine: those of the former version have no words for values by hand, and tell them as an alert that they do not know."
        ),
        UpgradeNote(
            migration: 71,
            text:
                "Look at the free disk of the database and of its backups: photos of journals are kept in it from now on, at most 500 of a tank and 256 MB of a person. A proxy in front has to let bodies of 300 KB pass."
        ),
        UpgradeNote(
            migration: 72,
            text:
                "Upgrade all Notifiers before people set reminders: those of the former version look for nothing that is due, and have no words for it."
        ),
        UpgradeNote(
            migration: 74,
            text:
                "Choose a quiet hour where millions of alerts are kept: migrations 74 and 75 read all alerts, and then all deliveries, and none leaves meanwhile."
        ),
        UpgradeNote(
            migration: 76,
            text:
                "Upgrade all Gateways before people log calibrations: of those of the former version an export leaves the logs out."
        ),
        UpgradeNote(
            migration: 78,
            text:
                "Events of accounts move into the audit log, where they are kept for AQUA_AUDIT_RETENTION (400d): older ones go. Of what Gateways of the former version change, the log tells neither the request nor from where."
        ),
        UpgradeNote(
            migration: 79,
            text:
                "Run deploy/broker/init again and let the broker read its rules anew: before that it takes nothing of what firmware says of itself on topics of its own (deploy/DEVICES.md, Life of a device). Alerts of a silence that a Notifier of the former version sends do not say what may explain it."
        ),
        UpgradeNote(
            migration: 80,
            text:
                "Set AQUA_OIDC_ISSUER once all Gateways are of this version: by those of the former one nobody without a password is shown, or takes back, what lets them in."
        ),
        UpgradeNote(
            migration: 81,
            text:
                "Upgrade all Ingestors before people delete readings: those of the former version take them anew from a device that sends its log again."
        ),
        UpgradeNote(
            migration: 82,
            text:
                "Upgrade all Gateways before people open projects: those of the former version answer a viewer's change with an internal error, and with any change take a member's limits for their own."
        ),
        UpgradeNote(
            migration: 84,
            text:
                "Upgrade all Notifiers before the first RulesEngine: those of the former version tell what is still out of range after work on the water in the words of any alarm."
        ),
        UpgradeNote(
            migration: 96,
            text:
                "Upgrade all Gateways before people say how well a position is known: those of the former version keep that beside another position, and answer with an internal error when it is taken away."
        ),
        UpgradeNote(
            migration: 97,
            text:
                "Upgrade all Gateways before people take samples in the field: those of the former version export no photos of samples, and take their values for tests that may be changed."
        ),
        UpgradeNote(
            migration: 99,
            text:
                "Set AQUA_STATIONS once all services are of this version: RulesEngines of the former one take the delay of a station for a clock that is wrong."
        ),
    ]

    static func needed(for migrations: [Int32]) -> [UpgradeNote] { all.filter { migrations.contains($0.migration) } }

    /// The note about a migration that brings parameters.
    private static func parameters(_ migration: Int32, _ names: String) -> UpgradeNote {
        UpgradeNote(
            migration: migration, asksForStop: true,
            text:
                "Stop the services of the former version first, as deploy/upgrade does: they read no parameter that they do not know (\(names))."
        )
    }
}
