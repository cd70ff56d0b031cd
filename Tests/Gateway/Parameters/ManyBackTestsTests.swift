import NIOHTTP1
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Limits that are tried on many devices before they are set.
@Suite(.timeLimit(.minutes(10))) struct ManyBackTestsTests {
    private static let path = "/api/v1/parameters/back-tests"

    /// Anna's two tanks: for five days a value every ten minutes, 20 °C, and of each noon an hour of 26 °C; the second has no readings.
    private static func with(
        _ adjust: GatewayUnderTest.Adjustment = { _ in },
        _ body: @Sendable @escaping (GatewayUnderTest, GatewayUnderTest.Person) async throws -> Void
    ) async throws {
        try await GatewayUnderTest.with(adjust) { gateway in
            let anna = try await gateway.person("anna@example.com")
            for tank in ["tank-1", "tank-2"] { try await gateway.link(tank, to: anna) }
            try await gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now() - interval '5 days' + n * interval '10 minutes', now(),
                    CASE WHEN n % 144 BETWEEN 70 AND 75 THEN 26 ELSE 20 END
                FROM device, generate_series(0, 5 * 144 - 1) AS n WHERE hardware_id = 'tank-1'
                """)
            try await body(gateway, anna)
        }
    }

    private static func wish(_ limits: JSON, _ devices: JSON = ["tank-1", "tank-2"]) -> JSON {
        ["devices": devices, "limits": limits]
    }

    @Test func presentAndOtherLimitsStandBesideEachOther() async throws {
        try await Self.with { gateway, anna in
            let settings = try await gateway.ask("SELECT max(version) FROM setting")
            let reply = try await gateway.request(
                .POST, Self.path, anna, json: Self.wish(["parameter": "temperature", "maximum": 27]))
            #expect(reply.status == 200, "\(reply.text)")
            let rows = try #require(reply.json?.array)
            #expect(rows.map { $0["device"]?.string } == ["tank-1", "tank-2"])
            #expect(rows[0]["present"]?["alarms"]?.integer == 5 && rows[0]["next"]?["alarms"]?.integer == 0)
            #expect(rows[0]["tooNew"] == .bool(false) && rows[0]["since"]?.string != nil)
            #expect(rows[1]["since"] == .null && rows[1]["present"]?["alarms"]?.integer == 0)
            #expect(try await gateway.ask("SELECT max(version) FROM setting") == settings, "nothing is changed")
        }
    }

    /// Settings beside the limits count, and limits at other times hold in theirs.
    @Test func theWholeOfTheLimitsIsTried() async throws {
        try await Self.with { gateway, anna in
            for (limits, alarms) in [
                (["parameter": "temperature", "maximum": 25, "delaySeconds": 7200], 0),
                (["parameter": "temperature", "maximum": 30], 0),
                (
                    [
                        "parameter": "temperature", "maximum": 30,
                        "periods": [
                            ["from": "00:00", "until": "12:00", "maximum": 25],
                            ["from": "12:00", "until": "00:00", "maximum": 25],
                        ],
                    ], 5
                ),
                (["parameter": "temperature", "unit": "F", "maximum": 77], 5),
            ] as [(JSON, Int64)] {
                let reply = try await gateway.request(.POST, Self.path, anna, json: Self.wish(limits, ["tank-1"]))
                #expect(reply.json?[0]?["next"]?["alarms"]?.integer == alarms, "\(limits): \(reply.text)")
            }
        }
    }

    @Test func oneThatWouldCrossItsOtherLimitIsToldApart() async throws {
        try await Self.with { gateway, anna in
            try await gateway.database.sql(
                "UPDATE setting SET minimum = 230 WHERE parameter = 0 AND device_id = (SELECT device_id FROM device WHERE hardware_id = 'tank-2')"
            )
            let reply = try await gateway.request(
                .POST, Self.path, anna, json: Self.wish(["parameter": "temperature", "maximum": 22]))
            let rows = try #require(reply.json?.array, "\(reply.text)")
            #expect(rows[0]["next"]?["alarms"]?.integer == 5 && rows[1]["next"] == .null)
            let unit = try await gateway.request(
                .POST, Self.path, anna, json: Self.wish(["parameter": "temperature", "unit": "ppm", "maximum": 22]))
            #expect(unit.status == 422 && unit.json?["errors"]?[0]?["code"]?.string == "not-a-choice", "\(unit.text)")
        }
    }

    @Test func nobodyTriesOnAnothersDevicesOrOnTooMany() async throws {
        try await Self.with { gateway, anna in
            let eve = try await gateway.person("eve@example.com")
            let limits: JSON = ["parameter": "temperature", "maximum": 22]
            #expect(try await gateway.request(.POST, Self.path, eve, json: Self.wish(limits)).status == 404)
            for devices in [
                JSON.array([]), ["tank-1", "tank-1"], .array((1...9).map { .string("tank-\($0)") }),
            ] {
                let refused = try await gateway.request(.POST, Self.path, anna, json: Self.wish(limits, devices))
                #expect(refused.status == 422, "\(refused.text)")
            }
        }
    }

    @Test func fewRunAtATime() async throws {
        try await Self.with(GatewayUnderTest.adjusting { $0.settings.manyBackTests.running = 0 }) { gateway, anna in
            let refused = try await gateway.request(
                .POST, Self.path, anna, json: Self.wish(["parameter": "temperature", "maximum": 27]))
            #expect(refused.status == 429 && refused[header: "Retry-After"] != nil, "\(refused.text)")
        }
    }
}
