import Postgres
import Store
import TestSupport
import Testing

/// Which schemas a service accepts.
@Suite struct SchemaCheckTests {
    private static func mismatch(
        _ check: SchemaCheck, _ connection: PostgresConnection
    ) async throws -> SchemaMismatch? {
        do {
            try await check.require(on: connection)
            return nil
        } catch let error as SchemaMismatch {
            #expect(Schema.isRetriable(error) == error.isRetriable)
            return error
        }
    }

    /// A running service accepts a newer schema, as after a migration; a service that starts refuses it.
    @Test func aDatabaseThatMovedAhead() async throws {
        try await SchemaFixture.with { fixture in
            let connection = try await SchemaFixture.connect(fixture.database, .rules)
            let atWork = SchemaCheck()
            #expect(try await Self.mismatch(atWork, connection) == nil)
            try await fixture.database.sql(
                """
                INSERT INTO schema_migration
                SELECT number + 1, name, checksum FROM schema_migration ORDER BY 1 DESC LIMIT 1
                """)
            #expect(try await Self.mismatch(atWork, connection) == nil)
            let started = try #require(try await Self.mismatch(SchemaCheck(), connection))
            #expect(!started.isRetriable && started.description.contains("which this program does not know"))
            await connection.close()
        }
    }

    /// An older schema may still be migrated, so the service waits for it.
    @Test(arguments: [
        "DELETE FROM schema_migration WHERE number = (SELECT max(number) FROM schema_migration)",
        "ALTER TABLE schema_migration RENAME TO nothing",
    ])
    func aDatabaseThatIsBehind(_ change: String) async throws {
        try await SchemaFixture.with { fixture in
            let connection = try await SchemaFixture.connect(fixture.database, .rules)
            try await fixture.database.sql(change)
            let mismatch = try #require(try await Self.mismatch(SchemaCheck(), connection))
            #expect(mismatch.isRetriable && mismatch.description.contains("run `aqua migrate`"))
            await connection.close()
        }
    }

    /// Functions that are another version's with the same tables: whoever has begun goes on, and whoever starts waits.
    @Test func otherFunctions() async throws {
        try await SchemaFixture.with { fixture in
            let connection = try await SchemaFixture.connect(fixture.database, .rules)
            let atWork = SchemaCheck()
            #expect(try await Self.mismatch(atWork, connection) == nil)
            try await fixture.database.sql("UPDATE schema_script SET checksum = sha256('') WHERE name = 'rhythm'")
            #expect(try await Self.mismatch(atWork, connection) == nil)
            let started = try #require(try await Self.mismatch(SchemaCheck(), connection))
            #expect(
                started.isRetriable && started.description.contains("not this program's (rhythm): run `aqua migrate`"))
            #expect(try await Schema.migrator().migrate(on: fixture.owner).scripts == ["rhythm"])
            #expect(try await Self.mismatch(SchemaCheck(), connection) == nil)
            await connection.close()
        }
    }

    /// The service waits, because a migration may be under way; without one, only an operator can repair the rights.
    @Test func aDatabaseThatMayNotBeRead() async throws {
        try await SchemaFixture.with { fixture in
            let connection = try await SchemaFixture.connect(fixture.database, .rules)
            try await fixture.database.sql("REVOKE SELECT ON schema_migration FROM aqua_rules")
            let mismatch = try #require(try await Self.mismatch(SchemaCheck(), connection))
            #expect(mismatch.isRetriable && mismatch.description.contains("may not read schema_migration"))
            await connection.close()
        }
    }

    /// A schema with another history is an error that no migration repairs.
    @Test func aDatabaseOfAnotherPast() async throws {
        try await SchemaFixture.with { fixture in
            let connection = try await SchemaFixture.connect(fixture.database, .rules)
            let atWork = SchemaCheck()
            #expect(try await Self.mismatch(atWork, connection) == nil)
            try await fixture.database.sql("UPDATE schema_migration SET checksum = sha256('other')")
            #expect(try await Self.mismatch(atWork, connection)?.isRetriable == false)
            await connection.close()
        }
    }
}
