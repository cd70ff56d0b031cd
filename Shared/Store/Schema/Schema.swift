import CSchema
package import Postgres

/// The schema: tables that are built at once, steps since then, and scripts that are applied again whenever their text changes.
///
/// - `Tables` is the baseline, table by table: constraints, indexes, rights and row policies beside each, its states drawn above it.
/// - `Migrations` has the steps since. A step that has been released is never changed; add another instead.
/// - `Scripts` has functions, views and triggers, and what follows from the catalogue of parameters. A step that drops something of
///   theirs runs before they are applied; none calls their functions.
package enum Schema {
    /// Versions 1 to 46 were built step by step. A database that has them is taken over as it stands.
    private static let baseline = Migration(
        number: 47, name: "baseline",
        sql: ["ground", "people", "devices", "limits", "readings", "decisions", "alerts"].map { text("Tables/\($0)") }
            .joined(separator: "\n"),
        takeover: Takeover(steps: stepsBeforeBaseline, sql: text("Migrations/takeover")))

    /// All migrations, oldest first; their text is part of the binary.
    package static let migrations: [Migration] = [
        baseline,
        migration(48, "reef_and_pool"),
        migration(49, "silicate"),
        migration(50, "languages"),
        migration(51, "channels_and_rights"),
        migration(52, "mail"),
        migration(53, "answers"),
        migration(54, "gatherings"),
        migration(55, "escalations"),
        migration(56, "kinds"),
        migration(57, "receipts"),
        migration(58, "notes"),
        migration(59, "only_urgent"),
        migration(60, "webhook_forms"),
        migration(61, "displays"),
        migration(62, "apps"),
        migration(63, "canary"),
        migration(64, "summaries"),
        migration(65, "changes_of_ways"),
        migration(66, "answers_on_displays"),
        migration(67, "taken_back"),
        migration(68, "tanks"),
        migration(69, "work"),
        migration(70, "by_hand"),
        migration(71, "journal"),
        migration(72, "reminders"),
        migration(73, "sent_again"),
        migration(74, "turns"),
        migration(75, "turns_of_deliveries"),
        migration(76, "calibration"),
        migration(77, "questionnaire"),
        migration(78, "audit"),
        migration(79, "device_life"),
        migration(80, "identities"),
        migration(81, "corrections"),
        migration(82, "projects"),
        migration(83, "owed_removals"),
        migration(84, "still_after_work"),
        migration(85, "makers"),
        migration(86, "enrolment"),
        migration(87, "shifts"),
        migration(88, "limit_periods"),
        migration(89, "sites"),
        migration(90, "public_pages"),
        migration(91, "plans"),
        migration(92, "presets"),
        migration(93, "operation"),
        migration(94, "companions"),
        migration(95, "track"),
        migration(96, "sites"),
        migration(97, "field"),
        migration(98, "zones"),
        migration(99, "stations"),
        migration(100, "organisations"),
        migration(101, "station_hosts"),
    ]

    /// In the order in which they refer to each other.
    package static let scripts: [SchemaScript] = [
        script("clock"),
        script("sessions"),
        script("audit"),
        script("account_events"),
        script("identities"),
        script("changes"),
        script("device_reports"),
        script("device_life"),
        script("linking"),
        script("care"),
        script("work"),
        script("corrections"),
        script("by_hand"),
        script("field"),
        script("questionnaire"),
        script("endpoints"),
        script("reach"),
        script("mail"),
        script("answers"),
        script("gatherings"),
        script("escalations"),
        script("receipts"),
        script("notes"),
        script("sent_again"),
        script("canary"),
        script("summaries"),
        script("reminders"),
        script("limits"),
        script("proofs"),
        script("census"),
        script("person_readings"),
        script("track"),
        script("rhythm"),
        script("partitions"),
        script("projects"),
        script("organisations"),
        script("presets"),
        script("enrolment"),
        script("shifts"),
        script("public_pages"),
        script("companions"),
        script("sites"),
        script("stations"),
        script("plans"),
        script("zones"),
        script("operation"),
        script("erasing"),
        script("live"),
        script("latest"),
        script("journal"),
        script("former_tanks"),
        script("displays"),
        script("triggers"),
        script("parameters"),
    ]

    /// The number of the newest migration.
    package static let version = migrations.reduce(0) { max($0, Int($1.number)) }

    package static func migrator() throws(PostgresError) -> Migrator { try Migrator(migrations, scripts: scripts) }

    /// Refuses a database whose schema is not the one that this program was written for.
    /// - Throws: `SchemaMismatch`, which names the command that fixes it.
    package static func require(on connection: PostgresConnection) async throws {
        if let mismatch = SchemaMismatch(try await state(on: connection)) { throw mismatch }
    }

    /// - Throws: `SchemaMismatch` where the role may not read the state.
    static func state(on connection: PostgresConnection) async throws -> MigrationState {
        do {
            return try await migrator().state(on: connection)
        } catch let error as PostgresError where error.code == .insufficientPrivilege {
            throw SchemaMismatch.unreadable
        }
    }

    private static func migration(_ number: Int32, _ name: String) -> Migration {
        let digits = String(number)
        let padded = String(repeating: "0", count: 4 - digits.count) + digits
        return Migration(number: number, name: name, sql: text("Migrations/\(padded)_\(name)"))
    }

    private static func script(_ name: String) -> SchemaScript {
        SchemaScript(name: name, sql: ScriptTemplate.rendered(text("Scripts/\(name)")))
    }

    /// The text of a file beside this one, by its path without `.sql`; `CSchema` makes all of them part of the program.
    private static func text(_ path: String) -> String {
        guard let text = files[path] else { preconditionFailure("Shared/CSchema/schema.c lists no \(path)") }
        return text
    }

    private static let files: [String: String] = {
        var files: [String: String] = [:]
        for index in 0... {
            let file = schema_file_at(index)
            guard let name = file.name else { break }
            files[String(cString: name)] = String(
                decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
        }
        return files
    }()
}
