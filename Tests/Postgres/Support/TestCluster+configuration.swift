import Postgres
import TestSupport

extension TestCluster {
    /// An empty database for one test.
    static func database() async throws -> PostgresConfiguration {
        try await configuration(shared.database.addDatabase())
    }

    /// A database shared by all tests that create nothing in it.
    static func commonDatabase() async throws -> PostgresConfiguration {
        try await configuration(shared.database.maintenance)
    }

    private static func configuration(_ database: TestDatabase) throws -> PostgresConfiguration {
        try PostgresConfiguration(
            url: database.url(.superuser), password: database.password(.superuser), applicationName: "tests")
    }
}
