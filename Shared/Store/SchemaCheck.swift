package import Postgres
import Synchronization

/// Whether a program may work on a database, by its schema and by what the program has worked on before.
package final class SchemaCheck: Sendable {
    private let hasPassed = Atomic(false)

    package init() {}

    /// Refuses a schema that is not this program's. A program that has begun to work goes on when the database moves ahead: a migration
    /// leaves the services of the previous version able to.
    /// - Throws: `SchemaMismatch`, which is retriable while the database can still be migrated to what this program needs.
    package func require(on connection: PostgresConnection) async throws {
        let state = try await Schema.state(on: connection)
        if case .ahead = state, hasPassed.load(ordering: .acquiring) { return }
        if let mismatch = SchemaMismatch(state) { throw mismatch }
        hasPassed.store(true, ordering: .releasing)
    }
}

/// The schema is older or newer than the program.
package struct SchemaMismatch: Error, CustomStringConvertible {
    package let description: String
    /// The database is behind: a migration mends that while the program waits.
    package let isRetriable: Bool

    /// A migration under way has made the table, and a later one lets the services read it.
    static let unreadable = SchemaMismatch(
        description:
            "This role may not read schema_migration: a migration is under way, or the role's rights are missing "
            + "(`aqua doctor`).",
        isRetriable: true)

    private init(description: String, isRetriable: Bool) {
        self.description = description
        self.isRetriable = isRetriable
    }

    /// - Returns: nil when the schema is the program's.
    init?(_ state: MigrationState) {
        guard let refusal = state.refusal() else { return nil }
        description = refusal
        isRetriable = if case .behind = state { true } else { false }
    }
}

extension Schema {
    /// Whether another attempt to work on the database can help.
    package static func isRetriable(_ error: any Error) -> Bool {
        (error as? SchemaMismatch)?.isRetriable ?? PostgresError.isRetriable(error)
    }
}
