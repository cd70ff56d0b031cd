import NIOHTTP1
import Routes
import ServiceKit
import TestSupport
import Testing

@testable import Gateway

/// Ada's pond, which has a probe, and her weir, a site, of which people have taken samples; Bob has nothing.
struct FeatureScene: Sendable {
    let scene: PersonScene

    var gateway: GatewayUnderTest { scene.gateway }

    /// Where clients of other programs find the gateway: its links name this address.
    static func with(_ body: @Sendable @escaping (FeatureScene) async throws -> Void) async throws {
        try await PersonScene.with { scene in
            try await scene.database.sql(rows)
            try await body(FeatureScene(scene: scene))
        }
    }

    /// A message a minute for ten minutes, the last of them a minute ago: 20 to 29 °C; of the weir two samples by hand, the later of 10 mg/l nitrate.
    static let rows = """
        UPDATE ownership SET name = 'Koi <b>', latitude = 48.20849, longitude = 16.37208, readings_from = now() - interval '1 day';
        INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
        SELECT slot, 0, device_id, now() - (10 - n) * interval '1 minute', now(), 20 + n FROM device, generate_series(0, 9) AS n;
        UPDATE rollup_progress
        SET hours_since = hours_since - interval '1 day', hours_until = hours_until - interval '1 day';
        INSERT INTO device (slot, hardware_id, kind) SELECT slot, 'site-weir', 'site' FROM device;
        INSERT INTO ownership (slot, device_id, account_id, name, latitude, longitude)
        SELECT d.slot, d.device_id, o.account_id, 'Weir', 49.5, 15.25 FROM device d, ownership o WHERE d.kind = 'site';
        INSERT INTO hand_test (slot, device_id, tank_id, test_id, account_id, at, kit, note)
        SELECT o.slot, o.device_id, o.tank_id, ('00000000-0000-4000-8000-00000000000' || n)::uuid, o.account_id,
            '2026-05-01T12:00:00Z'::timestamptz + n * interval '1 day', 'api-freshwater', 'Clear & cold'
        FROM ownership o, generate_series(1, 2) n WHERE o.name = 'Weir';
        INSERT INTO hand_value (slot, parameter, device_id, tank_id, test_id, at, value, lower, upper, choice, read, unit)
        SELECT slot, 3, device_id, tank_id, test_id, at, 10, 7.5, 15, '10', 10, 'ppm' FROM hand_test
        """

    static let samples = (1...2).map { "00000000-0000-4000-8000-00000000000\($0)" }

    func get(
        _ path: String, _ query: String = "", as person: PersonScene.Person? = nil, headers: HTTPHeaders = [:]
    ) async throws -> GatewayUnderTest.Reply {
        try await gateway.request(
            .GET, OGCFeatures.base + path + (query.isEmpty ? "" : "?" + query), person, headers: headers)
    }

    /// The features of a collection, in all of its pages.
    func features(
        _ layer: String, _ query: String = "", as person: PersonScene.Person
    ) async throws -> [JSON] {
        var found: [JSON] = []
        var path: String? = "/collections/\(layer)/items\(query.isEmpty ? "" : "?\(query)")"
        while let next = path {
            let reply = try await get(next, as: person)
            #expect(reply.status == 200, "\(next): \(reply.text)")
            found += reply.json?["features"]?.array ?? []
            #expect(found.count < 1_000, "a page that leads to itself")
            path = link("next", of: reply.json).map { String($0.dropFirst("https://water.example/ogc/v1".count)) }
        }
        return found
    }

    func ids(_ layer: String, _ query: String = "", as person: PersonScene.Person) async throws -> [String] {
        try await features(layer, query, as: person).compactMap { $0["id"]?.string }
    }

    func link(_ relation: String, of json: JSON?) -> String? {
        json?["links"]?.array?.first { $0["rel"]?.string == relation }?["href"]?.string
    }
}
