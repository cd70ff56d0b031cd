import ArgumentParser
import Postgres
import ServiceKit
import Store

/// `aqua migrate`
struct Migrate: OperatorCommand {
    static let configuration = CommandConfiguration(
        abstract: "Brings the database's schema to this version.",
        discussion: """
            Runs as the role that owns the database; the services' roles are there already (deploy/containers/roles makes them, \
            as the superuser). It also writes how long data are kept, from AQUA_SAMPLE_RETENTION, AQUA_HOURLY_RETENTION and \
            AQUA_ALERT_RETENTION where they are set: no service can shorten it. It is safe to run again, and for several to run \
            it at once.

            Example:  AQUA_DATABASE_URL=postgresql://aqua_owner@localhost/aqua aqua migrate
            """)

    @Option(help: ArgumentHelp("Stop at this version, to try an upgrade from it.", valueName: "VERSION"))
    var to: Int32?

    @Flag(help: "Believe the database's clock from now on, although the devices do not confirm it.")
    var trustClock = false

    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let (settings, retention) = try context.environment.read { ($0.database(), Self.retention($0)) }
        let migrations = try wantedMigrations()
        let connection = try await PostgresConnection.connect(PostgresConfiguration(settings))
        let applied: [Migration]
        do {
            applied = try await Migrator(migrations).migrate(on: connection)
            if to == nil {
                try await connection.perform(SetRetention(retention))
                if trustClock { try await connection.perform(TrustClock()) }
            }
        } catch let error as PostgresError where error.code == .insufficientPrivilege {
            await connection.close()
            throw OperatorError(.invalidInput, Self.lacksRights(error.message), underlying: error)
        }
        await connection.close()
        try context.console.show(
            MigrationReport(
                applied: applied.map { .init(number: $0.number, name: $0.name) },
                version: Int32(migrations.count)),
            output)
    }

    private func wantedMigrations() throws -> [Migration] {
        guard let to else { return Schema.migrations }
        guard (1...Int32(Schema.migrations.count)).contains(to) else {
            throw OperatorError(
                .invalidInput, "There is no version \(to): choose one from 1 to \(Schema.migrations.count).")
        }
        return Array(Schema.migrations.prefix(Int(to)))
    }

    /// What is set; the rest stays as it is.
    private static func retention(_ reader: ConfigurationReader) -> [SetRetention.Kind: Duration] {
        let settings = reader.retention()
        var kept: [SetRetention.Kind: Duration] = [:]
        if reader.optionalString(.sampleRetention) != nil { kept[.samples] = settings.samples }
        if reader.optionalString(.hourlyRetention) != nil { kept[.hours] = settings.hours }
        if reader.optionalString(.alertRetention) != nil { kept[.alerts] = settings.alerts }
        return kept
    }

    private static func lacksRights(_ message: String) -> String {
        "The role of AQUA_DATABASE_URL may not migrate (\(message)). It must own the database; as a superuser run: "
            + "ALTER DATABASE that_database OWNER TO that_role;"
    }
}

struct MigrationReport: Report {
    struct Step: Encodable {
        var number: Int32
        var name: String
    }

    var applied: [Step]
    var version: Int32

    var text: String {
        guard !applied.isEmpty else { return "Nothing to do: the schema has version \(version) already." }
        let steps = applied.map { "Applied \($0.number) \($0.name)" }
        return (steps + ["The schema has version \(version)."]).joined(separator: "\n")
    }
}
