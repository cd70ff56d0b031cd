import ArgumentParser
import Postgres
import ServiceKit
import Store

/// `aqua migrate`
struct Migrate: OperatorCommand {
    static let configuration = CommandConfiguration(
        abstract: "Brings the database's schema to this version.",
        discussion: """
            Runs as the role that owns the database. The first time that role needs CREATEROLE, to make a role for each \
            service. It is safe to run again, and for several to run it at once.

            Example:  AQUA_DATABASE_URL=postgresql://aqua_owner@localhost/aqua aqua migrate
            """)

    @Option(help: ArgumentHelp("Stop at this version, to try an upgrade from it.", valueName: "VERSION"))
    var to: Int32?

    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let settings = try context.environment.read { $0.database() }
        let migrations = try wantedMigrations()
        let connection = try await PostgresConnection.connect(PostgresConfiguration(settings))
        let applied: [Migration]
        do {
            applied = try await Migrator(migrations).migrate(on: connection)
            _ = try await connection.execute(EnsureRoleSettings())
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

    private static func lacksRights(_ message: String) -> String {
        "The role of AQUA_DATABASE_URL may not migrate (\(message)). It must own the database and be allowed to make "
            + "roles; as a superuser run: ALTER ROLE that_role CREATEROLE; ALTER DATABASE that_database OWNER TO that_role;"
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
