import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

/// A migrated database. Its owner uses it through the code under test, and other roles through psql.
struct SchemaFixture: Sendable {
    let database: TestDatabase
    let owner: PostgresConnection

    static func with(_ body: @Sendable (SchemaFixture) async throws -> Void) async throws {
        try await TestCluster.shared.database.withDatabase(migrate: migrate) { database in
            let fixture = SchemaFixture(database: database, owner: try await connect(database, .owner))
            // The template may have been made yesterday.
            _ = try await fixture.owner.execute(MakePartitions())
            try await body(fixture)
            await fixture.owner.close()
        }
    }

    static func migrate(_ database: TestDatabase) async throws {
        let connection = try await connect(database, .owner)
        _ = try await Schema.migrator().migrate(on: connection)
        await connection.close()
    }

    static func connect(_ database: TestDatabase, _ role: TestDatabase.Role) async throws -> PostgresConnection {
        try await PostgresConnection.connect(configuration(database, role))
    }

    static func configuration(_ database: TestDatabase, _ role: TestDatabase.Role) throws -> PostgresConfiguration {
        try PostgresConfiguration(
            url: database.url(role), password: database.password(role), applicationName: "test")
    }

    func addAccount(_ name: String) async throws -> Account.ID {
        let rows = try await owner.execute(
            AddAccount(email: "\(name)@example.org", passwordHash: "scrypt$test", locale: "en", timeZone: "UTC"))
        return try #require(rows.first)
    }

    func addDevice(_ name: String) async throws -> DeviceKey {
        let hash = Array(name.utf8) + Array(repeating: 0, count: 32 - name.utf8.count)
        let hardwareID = try #require(Device.HardwareID(name))
        let device = AddDevice(
            hardwareID: hardwareID, keyID: Self.keyID, claimCode: StoredClaimCode(hash: hash, keyID: Self.keyID))
        return try #require(try await owner.execute(device).first)
    }

    func link(_ device: DeviceKey, to account: Account.ID) async throws {
        try await owner.perform(
            LinkDevice(device: device, account: account, name: "Pond", defaults: SchemaFixture.defaults))
    }

    static let keyID = String(repeating: "0", count: 16)

    static let defaults = Parameter.allCases.map {
        LinkDevice.Default(
            parameter: $0, unit: $0.defaults.unit.rawValue, minimum: $0.defaults.minimum?.count,
            maximum: $0.defaults.maximum?.count, colour: $0.defaults.color, position: $0.defaults.order)
    }
}
