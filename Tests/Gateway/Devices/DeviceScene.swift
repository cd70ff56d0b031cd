import NIOHTTP1
import People
import Postgres
import Routes
import Secrets
import Store
import TestSupport
import Testing
import WaterQuality

/// Devices that people link and share through the routes.
extension GatewayUnderTest {
    static let base = "/api/v1"

    /// Adds a device without an owner, as the operator does.
    /// - Returns: Its claim code.
    func addDevice(_ id: String) async throws -> String {
        let key = try #require(SecretKey(Self.secretKey))
        let code = ClaimCode.generate()
        let connection = try await connect(.owner)
        _ = try await connection.execute(
            AddDevice(
                hardwareID: try #require(Device.HardwareID(id)), keyID: "\(key.id)",
                claimCode: StoredClaimCode(hash: code.hash(under: key), keyID: "\(key.id)")))
        await connection.close()
        return "\(code)"
    }

    func link(code: String, _ person: Person, name: String = "Pond") async throws -> Reply {
        try await request(
            .POST, "\(Self.base)/devices", person, json: ["claimCode": .string(code), "name": .string(name)])
    }

    /// Adds a device and links it to a person.
    func device(_ id: String, of person: Person) async throws {
        #expect(try await link(code: addDevice(id), person).status == 201)
    }

    /// Makes an invitation to watch a device, and returns its token.
    func invite(to id: String, by owner: Person, readings: String? = nil) async throws -> String {
        let reply = try await request(
            .POST, "\(Self.base)/devices/\(id)/invitations", owner, json: readings.map { ["readings": .string($0)] })
        #expect(reply.status == 201)
        return try #require(reply.json?["token"]?.string)
    }

    func accept(_ token: String, _ person: Person) async throws -> Reply {
        try await request(.POST, "\(Self.base)/invitations/accept", person, json: ["token": .string(token)])
    }

    /// A fingerprint of the whole database except for its followers, and for the log, in which refusals are.
    func fingerprint() async throws -> String {
        let names = try await ask(
            """
            SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class
            WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
                AND relname NOT IN ('live_follower', 'audit_entry', 'refusal_count')
            """)
        let parts = names.split(separator: " ").map { table in
            "(SELECT md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) FROM \(table) t)"
        }
        return try await ask("SELECT array_to_string(ARRAY[\(parts.joined(separator: ", "))], ' ')")
    }

    /// The number of rows of a person, for each table that has any.
    func rowsOfPeople() async throws -> [String: String] {
        let names = try await ask(
            """
            SELECT string_agg(DISTINCT c.relname, ' ') FROM pg_class c
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id' AND NOT a.attisdropped
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
            """)
        var rows: [String: String] = [:]
        for table in names.split(separator: " ").map(String.init) {
            let count = try await ask("SELECT count(*) FROM \(table) WHERE account_id <> 0")
            if count != "0" { rows[table] = count }
        }
        return rows
    }

    /// A connection in a role, without the code under test in between.
    func connect(_ role: TestDatabase.Role) async throws -> PostgresConnection {
        try await PostgresConnection.connect(
            PostgresConfiguration(
                url: database.url(role), password: database.password(role), applicationName: "gateway-tests"))
    }
}
