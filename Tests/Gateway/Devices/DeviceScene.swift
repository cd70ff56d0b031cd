import NIOHTTP1
import People
import Postgres
import Routes
import Secrets
import Store
import TestSupport
import Testing
import WaterQuality

/// Devices that people link and share by the routes.
extension GatewayUnderTest {
    static let base = "/api/v1"

    /// Adds a device that nobody owns, as the operator does.
    /// - Returns: Its claim code.
    func addDevice(_ id: String) async throws -> String {
        let key = try #require(SecretKey(Self.secretKey))
        let code = ClaimCode.generate()
        let configuration = try PostgresConfiguration(
            url: database.url(.owner), password: database.password(.owner), applicationName: "gateway-tests")
        let connection = try await PostgresConnection.connect(configuration)
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

    /// A device that a person has linked.
    func device(_ id: String, of person: Person) async throws {
        #expect(try await link(code: addDevice(id), person).status == 201)
    }

    /// The token of an invitation to watch a device.
    func invite(to id: String, by owner: Person) async throws -> String {
        let reply = try await request(.POST, "\(Self.base)/devices/\(id)/invitations", owner)
        #expect(reply.status == 201)
        return try #require(reply.json?["token"]?.string)
    }

    func accept(_ token: String, _ person: Person) async throws -> Reply {
        try await request(.POST, "\(Self.base)/invitations/accept", person, json: ["token": .string(token)])
    }

    /// Everything of people's devices, as one word.
    func fingerprint() async throws -> String {
        let tables = [
            "ownership", "setting", "device", "device_invitation", "episode", "alert", "throttle", "account",
            "endpoint",
        ]
        let parts = tables.map { "(SELECT md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) FROM \($0) t)" }
        return try await ask("SELECT concat_ws(' ', \(parts.joined(separator: ", ")))")
    }
}
