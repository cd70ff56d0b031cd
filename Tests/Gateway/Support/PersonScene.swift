import Foundation
import HTTPTypes
import Logging
import Postgres
import PushTargets
import Routes
import Secrets
import ServiceKit
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// A database with two people who are signed in, a receiver of webhooks, and the routes of the Gateway.
struct PersonScene: Sendable {
    let database: TestDatabase
    let sink: WebhookSink
    let services: GatewayServices
    /// Has the device `pond-1`, named Koi, too warm at times; Spanish, Fahrenheit.
    let ada: Person
    let bob: Person

    struct Person: Sendable {
        let account: Int64
        let session: SessionID
    }

    struct Reply: Sendable {
        let status: Int
        let headers: HTTPFields
        let json: JSON

        var code: String? { json["code"]?.string }
        /// The number of the endpoint that was registered or listed.
        var endpoint: Int64 { json["endpoint"]?["id"]?.integer ?? json["id"]?.integer ?? 0 }
    }

    static let slot = 5

    static func with(_ body: @Sendable @escaping (PersonScene) async throws -> Void) async throws {
        let server = try await TestCluster.shared.database
        try await server.withDatabase(template: "gateway-people", migrate: migrate) { database in
            try await WebhookSink.with { sink in
                sink.answer(then: .challenge)
                let services = try services(database, sink)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await services.pool.run() }
                    group.addTask { try await services.challenger.run() }
                    defer { group.cancelAll() }
                    let ada = try await person("ada", database)
                    let bob = try await person("bob", database)
                    let scene = PersonScene(
                        database: database, sink: sink, services: services, ada: ada, bob: bob)
                    try await scene.linkPond()
                    try await awaitFact("a connection and a client") {
                        services.pool.openCount > 0 && services.challenger.isReady ? true : nil
                    }
                    try await body(scene)
                }
            }
        }
    }

    private static func migrate(_ database: TestDatabase) async throws {
        let connection = try await PostgresConnection.connect(
            PostgresConfiguration(
                url: database.url(.owner), password: database.password(.owner), applicationName: "gateway-tests"))
        _ = try await Migrator(Schema.migrations).migrate(on: connection)
        await connection.close()
    }

    private static func services(_ database: TestDatabase, _ sink: WebhookSink) throws -> GatewayServices {
        let key = try #require(SecretKey(String(repeating: "5a", count: 32)))
        var settings = GatewaySettings()
        settings.challengeLimit = .seconds(5)
        settings.challenges.person = BucketRate(burst: 100, interval: .seconds(1))
        settings.connections = 2
        let configuration = GatewayConfiguration(
            database: DatabaseSettings(
                url: database.url(.gateway), password: Secret(try database.password(.gateway))),
            secretKeys: Renewable(SecretKeys(key)), tokenKeys: Renewable(.random()),
            address: HostAndPort(host: "127.0.0.1", port: 0), origin: try #require(PublicOrigin("http://localhost")),
            allowed: try #require(PushAllowList("127.0.0.0/8:*")), authorityFile: sink.authorityFile,
            settings: settings)
        let connection = try PostgresConfiguration(
            url: database.url(.gateway), password: database.password(.gateway), applicationName: "gateway-tests")
        let pool = PostgresPool(connection, size: 2)
        let logger = Logger(label: "gateway-tests") { _ in SwiftLogNoOpLogHandler() }
        let live = LiveHub(connection, pool: pool, most: 1, metrics: MetricsRegistry(), logger: logger)
        return GatewayServices(configuration, Facilities(logger: logger), pool, live)
    }

    private static func person(_ name: String, _ database: TestDatabase) async throws -> Person {
        let text = try await database.sql(
            """
            WITH person AS (
                INSERT INTO account (email, password_hash, locale, time_zone)
                VALUES ('\(name)@example.com', 'scrypt$', 'es', 'Europe/Madrid') RETURNING account_id
            ), stay AS (
                INSERT INTO session (account_id, client_id, client, address)
                SELECT account_id, gen_random_uuid(), 'test', '127.0.0.1/32' FROM person RETURNING session_id
            )
            SELECT account_id || ' ' || session_id FROM person, stay
            """)
        let parts = text.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: " ").map(String.init)
        return Person(
            account: try #require(Int64(parts[0])), session: try #require(SessionID(parts[1])))
    }

    private func linkPond() async throws {
        try await database.sql(
            """
            WITH probe AS (
                INSERT INTO device (slot, hardware_id, claim_code_hash)
                VALUES (\(Self.slot), 'pond-1', decode(repeat('00', 32), 'hex')) RETURNING device_id
            ), owned AS (
                INSERT INTO ownership (slot, device_id, account_id, name)
                SELECT \(Self.slot), device_id, \(ada.account), 'Koi' FROM probe
            )
            INSERT INTO setting (
                slot, parameter, device_id, account_id, version, unit, minimum, maximum, colour, position)
            SELECT \(Self.slot), 0, device_id, \(ada.account), 1, 'F', 120, 240, 'red', 0 FROM probe
            """)
    }

    /// Calls a route by its id, as the shell does.
    func call(
        _ id: String, as person: Person, path: [String: String] = [:], query: String? = nil, body: JSON? = nil
    ) async throws -> Reply {
        let route = try #require(GatewayAPI.make().routes.first { $0.id == id })
        let address = ClientAddress(try #require(IPAddress("192.0.2.1")))
        let scope = Scope(
            services: services, requestID: "1", address: address, credential: .session(person.session),
            access: route.access, wished: .en)
        let request = RawRequest(path: path, query: query, headers: [:], body: body?.bytes ?? [])
        do {
            let answer = try await route.respond(to: request, Caller(scope: scope, headers: [:]))
            guard case .bytes(let bytes) = answer.body else {
                return Reply(status: answer.status.code, headers: answer.headers, json: .null)
            }
            return Reply(status: answer.status.code, headers: answer.headers, json: try JSON(reading: bytes))
        } catch let problem as Problem {
            return Reply(
                status: problem.type.status.code, headers: problem.fields(.en), json: problem.json(.en, requestID: "1"))
        }
    }

    func ask(_ query: String) async throws -> String {
        try await database.sql(query).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func register(_ path: String = "/hook", as person: Person) async throws -> Reply {
        try await call("addEndpoint", as: person, body: ["url": .string(sink.url(path: path))])
    }
}
