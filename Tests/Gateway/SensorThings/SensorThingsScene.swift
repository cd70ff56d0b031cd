import Foundation
import NIOHTTP1
import Routes
import SensorThings
import TestSupport
import Testing

@testable import Gateway

/// Anna's tank with a message a minute for ten minutes, the last of them an hour ago: 20 to 29 °C and a pH of 8.3; a place, a former place, and
/// nitrate by hand. Bob has nothing.
struct SensorThingsScene: Sendable {
    let gateway: GatewayUnderTest
    let anna: GatewayUnderTest.Person
    let bob: GatewayUnderTest.Person
    /// The device's number, which is that of its Thing.
    let device: Int64
    /// Anna's personal token, which may only read.
    let token: String

    let temperature = EntityID.text("tank-1:temperature")
    let ph = EntityID.text("tank-1:ph")
    let nitrateByHand = EntityID.text("tank-1:nitrate:hand")

    static let first = "2026-11-01T00:00:00Z"

    static func with(
        _ adjust: GatewayUnderTest.Adjustment = { _ in },
        _ body: @Sendable @escaping (SensorThingsScene) async throws -> Void
    ) async throws {
        try await GatewayUnderTest.with(adjust) { gateway in
            let (anna, bob) = (
                try await gateway.person("anna@example.com"), try await gateway.person("bob@example.com")
            )
            try await gateway.link("tank-1", to: anna)
            try await gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature, ph)
                SELECT slot, 0, device_id, date_trunc('second', now()) - interval '1 hour' - (9 - n) * interval '1 minute', now(), 20 + n, 8.3
                FROM device, generate_series(0, 9) AS n;
                UPDATE rollup_progress
                SET hours_since = hours_since - interval '1 day', hours_until = hours_until - interval '1 day';
                UPDATE ownership SET latitude = 47, longitude = 8;
                UPDATE ownership SET latitude = 47.5, longitude = 8.25;
                INSERT INTO hand_test (slot, device_id, tank_id, test_id, account_id, at)
                SELECT slot, device_id, tank_id, '0f0e0d0c-0b0a-0908-0706-050403020100', account_id, '\(first)' FROM ownership;
                INSERT INTO hand_value (slot, parameter, device_id, tank_id, test_id, at, value, read, unit)
                SELECT slot, 3, device_id, tank_id, test_id, at, 12.5, 12.5, 'ppm' FROM hand_test
                """)
            let device = try #require(
                Int64(try await gateway.ask("SELECT device_id FROM device WHERE hardware_id = 'tank-1'")))
            let token = try await gateway.personalToken(anna, scope: "read")
            try await body(SensorThingsScene(gateway: gateway, anna: anna, bob: bob, device: device, token: token))
        }
    }

    /// Asks with Anna's token.
    func ask(_ path: String, _ query: [(String, String)] = []) async throws -> GatewayUnderTest.Reply {
        try await gateway.request(.GET, Self.address(path, query), token: token)
    }

    /// The members `value` of an answer that has to be good.
    func list(_ path: String, _ query: [(String, String)] = []) async throws -> [JSON] {
        let reply = try await ask(path, query)
        #expect(reply.status == 200, "\(path) \(query): \(reply.text)")
        return try #require(reply.json?["value"]?.array, "\(path) \(query)")
    }

    static func address(_ path: String, _ query: [(String, String)]) -> String {
        let parameters = query.map { name, value in
            name + "=" + (value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        }
        return SensorThingsRoutes.base + (path.isEmpty ? "" : "/\(path)")
            + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }
}
