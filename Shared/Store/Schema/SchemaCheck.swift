package import Postgres
import Synchronization

/// Checks whether a program may work on a database, by the schema and by the program's own past.
package final class SchemaCheck: Sendable {
    private let hasPassed = Atomic(false)

    package init() {}

    /// Refuses a schema that is not this program's. A program that is already at work continues when the database moves
    /// ahead: a migration leaves the previous version's services able to work.
    /// - Throws: `SchemaMismatch`, which is retriable while a migration can still bring the database to this program's
    ///   schema.
    package func require(on connection: PostgresConnection) async throws {
        let state = try await Schema.state(on: connection)
        switch state {
        case .ahead, .scripts: if hasPassed.load(ordering: .acquiring) { return }
        default: break
        }
        if let mismatch = SchemaMismatch(state) { throw mismatch }
        hasPassed.store(true, ordering: .releasing)
    }
}

/// The error of a schema that is older or newer than the program.
package struct SchemaMismatch: Error, CustomStringConvertible {
    package let description: String
    /// Whether the database is behind: a migration fixes that while the program waits.
    package let isRetriable: Bool

    /// A running migration has created the tables, and does not let the services read them yet.
    static let unreadable = SchemaMismatch(
        description:
            "This role may not read schema_migration: a migration is under way, or the role's rights are missing "
            + "(`aqua doctor`).",
        isRetriable: true)

    private init(description: String, isRetriable: Bool) {
        self.description = description
        self.isRetriable = isRetriable
    }

    /// - Returns: nil if the schema is the program's.
    init?(_ state: MigrationState) {
        guard let refusal = state.refusal() else { return nil }
        description = refusal
        isRetriable =
            switch state {
            case .behind, .scripts: true
            default: false
            }
    }
}

extension Schema {
    /// Whether another attempt to work on the database can help.
    package static func isRetriable(_ error: any Error) -> Bool {
        (error as? SchemaMismatch)?.isRetriable ?? PostgresError.isRetriable(error)
    }
}
