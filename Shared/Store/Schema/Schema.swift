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
        sql: [
            PackageResources.ground_sql, PackageResources.people_sql, PackageResources.devices_sql,
            PackageResources.limits_sql, PackageResources.readings_sql, PackageResources.decisions_sql,
            PackageResources.alerts_sql,
        ].map(text).joined(separator: "\n"),
        takeover: Takeover(steps: stepsBeforeBaseline, sql: text(PackageResources.takeover_sql)))

    /// All migrations, oldest first; their text is part of the binary.
    package static let migrations: [Migration] = [
        baseline,
        migration(48, "reef_and_pool", PackageResources._048_reef_and_pool_sql),
        migration(49, "silicate", PackageResources._049_silicate_sql),
    ]

    /// In the order in which they refer to each other.
    package static let scripts: [SchemaScript] = [
        script("clock", PackageResources.clock_sql),
        script("sessions", PackageResources.sessions_sql),
        script("account_events", PackageResources.account_events_sql),
        script("changes", PackageResources.changes_sql),
        script("device_reports", PackageResources.device_reports_sql),
        script("linking", PackageResources.linking_sql),
        script("endpoints", PackageResources.endpoints_sql),
        script("census", PackageResources.census_sql),
        script("person_readings", PackageResources.person_readings_sql),
        script("rhythm", PackageResources.rhythm_sql),
        script("partitions", PackageResources.partitions_sql),
        script("erasing", PackageResources.erasing_sql),
        script("live", PackageResources.live_sql),
        script("triggers", PackageResources.triggers_sql),
        script("parameters", PackageResources.parameters_sql),
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

    private static func migration(_ number: Int32, _ name: String, _ sql: [UInt8]) -> Migration {
        Migration(number: number, name: name, sql: text(sql))
    }

    private static func script(_ name: String, _ template: [UInt8]) -> SchemaScript {
        SchemaScript(name: name, sql: ScriptTemplate.rendered(text(template)))
    }

    private static func text(_ resource: [UInt8]) -> String { String(decoding: resource, as: UTF8.self) }
}
