package import Postgres

/// The schema, step by step. A step that has been released is never changed: add another.
package enum Schema {
    /// All migrations, oldest first; their text is part of the binary.
    package static let migrations: [Migration] = [
        migration(1, "roles_and_slots", PackageResources._0001_roles_and_slots_sql),
        migration(2, "people_and_devices", PackageResources._0002_people_and_devices_sql),
        migration(3, "samples", PackageResources._0003_samples_sql),
        migration(4, "evaluation", PackageResources._0004_evaluation_sql),
        migration(5, "alerts", PackageResources._0005_alerts_sql),
        migration(6, "rights", PackageResources._0006_rights_sql),
    ]

    private static func migration(_ number: Int, _ name: String, _ sql: [UInt8]) -> Migration {
        Migration(number: number, name: name, sql: String(decoding: sql, as: UTF8.self))
    }
}

/// The channels on which services tell each other that there is something to do. Only a hint: whoever misses one
/// finds the work by looking.
package enum Channel {
    /// A batch waits in `evaluation_batch`; the payload names the slots, separated by commas.
    package static let evaluation = "evaluation"
    /// An alert waits in `alert`; the payload is empty.
    package static let alert = "alert"
    /// A delivery ended; the payload is the account.
    package static let delivery = "delivery"
}
