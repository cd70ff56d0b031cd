import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import Postgres
import Routes
import Secrets
import ServiceKit
import ServiceLifecycle
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// A gateway in this process, on a free port, with a database of its own.
///
/// ```
/// try await GatewayUnderTest.with { gateway in
///     let anna = try await gateway.person("anna@example.com")
///     let reply = try await gateway.request(.GET, "/api/v1/devices", anna)
///     #expect(reply.status == 200)
/// }
/// ```
struct GatewayUnderTest: Sendable {
    let database: TestDatabase
    /// The gateway's address: `http://127.0.0.1:PORT`.
    let url: String
    let port: Int
    let log: GatewayLog
    let metrics: MetricsRegistry
    let tokens: AccessTokens
    private let stopping: @Sendable () async -> Void

    static let secretKey = String(repeating: "5a", count: 32)

    /// Changes the configuration before the start.
    typealias Adjustment = (inout GatewayConfiguration) throws -> Void

    /// Names an adjustment before it is used.
    static func adjusting(_ adjustment: @escaping Adjustment) -> Adjustment { adjustment }

    /// - Parameters:
    ///   - api: Other routes than the service's, for tests of the shell around routes.
    ///   - adjust: Changes the configuration before the start.
    ///   - server: The database server; the shared one by default.
    static func with(
        api: API<Caller> = GatewayAPI.make(), _ adjust: Adjustment = { _ in },
        server: DatabaseServer? = nil, _ body: @Sendable @escaping (GatewayUnderTest) async throws -> Void
    ) async throws {
        let keys = AccessTokenKeys.random()
        var adjusted = try configuration(keys)
        try adjust(&adjusted)
        var shared = server
        if shared == nil { shared = try await TestCluster.shared.database }
        try await #require(shared).withDatabase(template: "gateway", migrate: migrate) { [adjusted] database in
            var configuration = adjusted
            configuration.database = try settings(database)
            try await serve(configuration, api, keys, database, body)
        }
    }

    /// Cheap passwords, and limits that no test reaches unless it sets them.
    private static func configuration(_ keys: AccessTokenKeys) throws -> GatewayConfiguration {
        var settings = GatewaySettings()
        settings.connections = 3
        settings.passwordCost = .quick
        settings.rates = settings.rates.mapValues { _ in
            GatewaySettings.Rates("test", caller: 100_000, address: 100_000)
        }
        return GatewayConfiguration(
            database: DatabaseSettings(url: "", password: nil as Secret?),
            secretKeys: Renewable(SecretKeys(try #require(SecretKey(secretKey)))), tokenKeys: Renewable(keys),
            address: HostAndPort(host: "127.0.0.1", port: 0),
            origin: try #require(PublicOrigin("https://water.example")), signUp: .open, settings: settings)
    }

    /// The configuration of a further gateway on a database.
    static func configuration(_ keys: AccessTokenKeys, on database: TestDatabase) throws -> GatewayConfiguration {
        var configuration = try configuration(keys)
        configuration.database = try settings(database)
        return configuration
    }

    private static func settings(_ database: TestDatabase) throws -> DatabaseSettings {
        DatabaseSettings(url: database.url(.gateway), password: Secret(try database.password(.gateway)))
    }

    private static func migrate(_ database: TestDatabase) async throws {
        let configuration = try PostgresConfiguration(
            url: database.url(.owner), password: database.password(.owner), applicationName: "gateway-tests")
        let connection = try await PostgresConnection.connect(configuration)
        _ = try await Schema.migrator().migrate(on: connection)
        await connection.close()
    }

    private static func serve(
        _ configuration: GatewayConfiguration, _ api: API<Caller>, _ keys: AccessTokenKeys, _ database: TestDatabase,
        _ body: @Sendable @escaping (GatewayUnderTest) async throws -> Void
    ) async throws {
        let log = GatewayLog()
        let facilities = Facilities(logger: Logger(label: "gateway-tests") { _ in log.handler })
        let (ports, listening) = AsyncStream<Int>.makeStream()
        let gateway = try Gateway(configuration, facilities, api: api) { listening.yield($0.port) }
        let group = ServiceGroup(services: [gateway], logger: Logger(label: "group") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { listening.finish() }
                try await group.run()
            }
            do {
                guard let port = await ports.first(where: { _ in true }) else {
                    try await tasks.waitForAll()
                    throw TestSupportError("the gateway ended before it listened")
                }
                try await awaitFact("the gateway's readiness") {
                    await facilities.health.failingReadiness().isEmpty ? true : nil
                }
                try await body(
                    GatewayUnderTest(
                        database: database, url: "http://127.0.0.1:\(port)", port: port, log: log,
                        metrics: facilities.metrics, tokens: AccessTokens(keys: Renewable(keys)),
                        stopping: { await group.triggerGracefulShutdown() }))
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
            } catch {
                tasks.cancelAll()
                throw error
            }
        }
    }

    /// Stops the gateway, as SIGTERM does.
    func stop() async { await stopping() }

    /// A single value from the database, queried as its superuser.
    func ask(_ query: String) async throws -> String {
        try await database.sql(query).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension GatewayUnderTest {
    /// A person with an account, who is signed in.
    struct Person: Sendable {
        let account: Int64
        let email: String
        let session: SessionID
        /// The person's access token.
        let token: String

        /// Everybody's password in these tests.
        static let password = "correct horse battery staple"
    }

    /// Opens an account and a session, without the routes.
    func person(_ email: String = "anna@example.com", locale: String = "en") async throws -> Person {
        let hash = try PasswordHash.create(Person.password, cost: .quick)
        let account = try #require(
            Int64(
                try await ask(
                    """
                    INSERT INTO account (email, password_hash, locale, time_zone)
                    VALUES ('\(email)', '\(hash)', '\(locale)', 'UTC') RETURNING account_id
                    """)))
        let session = try #require(
            SessionID(
                try await ask(
                    """
                    INSERT INTO session (account_id, client, address) VALUES (\(account), 'test', '192.0.2.1/32')
                    RETURNING session_id
                    """)))
        let token = try await tokens.issue(to: Account.ID(rawValue: account), session: session.rawValue)
        return Person(account: account, email: email, session: session, token: token)
    }

    /// Creates a personal token for a person.
    func personalToken(_ person: Person, scope: String) async throws -> String {
        let token = PersonalToken.generate()
        let hash = token.hash.map { String(format: "%02x", $0) }.joined()
        try await database.sql(
            """
            INSERT INTO personal_token (account_id, token_hash, name, scope, last_four)
            VALUES (\(person.account), '\\x\(hash)', 'test', '\(scope)', '\(token.lastFour)')
            """)
        return token.text
    }

    /// Links a device to a person, with a range for temperature, without the routes. Adds the device if it is missing.
    func link(_ hardwareID: String, to person: Person, role: String = "owner") async throws {
        let slot = Slot(of: try #require(Device.HardwareID(hardwareID))).rawValue
        try await database.sql(
            """
            BEGIN;
            INSERT INTO device (slot, hardware_id, claim_code_hash)
            VALUES (\(slot), '\(hardwareID)', sha256('\(hardwareID)')) ON CONFLICT (hardware_id) DO NOTHING;
            INSERT INTO ownership (slot, device_id, account_id, name, role)
            SELECT slot, device_id, \(person.account), 'Koi', '\(role)' FROM device WHERE hardware_id = '\(hardwareID)';
            INSERT INTO setting (slot, parameter, device_id, account_id, version, unit, minimum, maximum, colour, position)
            SELECT slot, 0, device_id, \(person.account), 1, 'C', 120, 240, 'red', 0
            FROM device WHERE hardware_id = '\(hardwareID)';
            COMMIT
            """)
    }
}
