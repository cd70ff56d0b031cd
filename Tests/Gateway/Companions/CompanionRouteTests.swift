import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Two devices in the same water: who pairs them, who sees that, and what ends it.
@Suite(.timeLimit(.minutes(5))) struct CompanionRouteTests {
    private static func path(_ device: String) -> String { "/api/v1/devices/\(device)/second" }

    /// Anna has three ponds, and Ben one.
    private static func with(
        _ body:
            @Sendable @escaping (GatewayUnderTest, GatewayUnderTest.Person, GatewayUnderTest.Person) async throws ->
            Void
    ) async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            let ben = try await gateway.person("ben@example.com")
            for device in ["pond-1", "pond-2", "pond-3"] { try await gateway.link(device, to: anna) }
            try await gateway.link("pond-9", to: ben)
            try await gateway.database.sql(
                "UPDATE ownership o SET name = d.hardware_id FROM device d WHERE d.device_id = o.device_id")
            try await body(gateway, anna, ben)
        }
    }

    private static func pair(
        _ gateway: GatewayUnderTest, _ device: String, _ second: String, _ person: GatewayUnderTest.Person
    ) async throws -> GatewayUnderTest.Reply {
        try await gateway.request(.PUT, path(device), person, json: ["second": .string(second)])
    }

    @Test func `an owner pairs two of their devices, and takes them apart`() async throws {
        try await Self.with { gateway, anna, _ in
            #expect(try await gateway.request(.GET, Self.path("pond-1"), anna).text == #"{"pair":null}"#)
            let made = try await Self.pair(gateway, "pond-1", "pond-2", anna)
            #expect(made.status == 200, "\(made.text)")
            #expect(made.json?["pair"]?["second"]?["id"]?.string == "pond-2")
            #expect(made.json?["pair"]?["comparedAt"] == .null)
            let again = try await Self.pair(gateway, "pond-1", "pond-2", anna)
            #expect(again.json == made.json, "the same again changes nothing")
            for device in ["pond-1", "pond-2"] {
                let shown = try await gateway.request(.GET, Self.path(device), anna)
                #expect(shown.json?["pair"]?["first"]?["name"]?.string == "pond-1", "\(device): \(shown.text)")
            }
            let listed = try await gateway.request(.GET, "/api/v1/devices/pond-1", anna)
            #expect(listed.json?["second"]?.string == "pond-2")
            #expect(try await gateway.request(.GET, "/api/v1/devices/pond-2", anna).json?["second"] == .null)
            let other = try await Self.pair(gateway, "pond-1", "pond-3", anna)
            #expect(other.json?["pair"]?["second"]?["id"]?.string == "pond-3", "another one in its place")
            #expect(try await gateway.request(.DELETE, Self.path("pond-3"), anna).status == 204, "from either side")
            #expect(try await gateway.request(.DELETE, Self.path("pond-3"), anna).status == 204)
            #expect(try await gateway.ask("SELECT count(*) FROM companion") == "0")
        }
    }

    @Test func `each device is in one pair, and both are the owner's own`() async throws {
        try await Self.with { gateway, anna, ben in
            for second in ["pond-1", "pond-9", "pond-0"] {
                let reply = try await Self.pair(gateway, "pond-1", second, anna)
                #expect(reply.status == 422 && reply.text.contains("not-own-device"), "\(second): \(reply.text)")
            }
            #expect(try await Self.pair(gateway, "pond-9", "pond-1", anna).status == 404)
            #expect(try await Self.pair(gateway, "pond-1", "pond-9", ben).status == 404)
            #expect(try await Self.pair(gateway, "pond-1", "pond-2", anna).status == 200)
            for (device, second) in [("pond-2", "pond-3"), ("pond-3", "pond-1"), ("pond-3", "pond-2")] {
                let reply = try await Self.pair(gateway, device, second, anna)
                #expect(reply.status == 422 && reply.text.contains("in-other-pair"), "\(device): \(reply.text)")
            }
            #expect(try await gateway.ask("SELECT count(*) FROM companion") == "1")
        }
    }

    /// A watcher of one of the two learns nothing of the other.
    @Test func `a watcher sees a pair only with both devices, and changes none`() async throws {
        try await Self.with { gateway, anna, ben in
            _ = try await Self.pair(gateway, "pond-1", "pond-2", anna)
            try await gateway.link("pond-1", to: ben, role: "watcher")
            let one = try await gateway.request(.GET, Self.path("pond-1"), ben)
            #expect(one.text == #"{"pair":null}"#)
            let device = try await gateway.request(.GET, "/api/v1/devices/pond-1", ben)
            #expect(device.json?["second"] == .null && !device.text.contains("pond-2"), "\(device.text)")
            for method in [HTTPMethod.PUT, .DELETE] {
                let reply = try await gateway.request(
                    method, Self.path("pond-1"), ben, json: method == .PUT ? ["second": "pond-9"] : Optional<JSON>.none)
                #expect(reply.status == 403 && reply.code == "owner-only", "\(method): \(reply.text)")
            }
            try await gateway.link("pond-2", to: ben, role: "watcher")
            let both = try await gateway.request(.GET, Self.path("pond-1"), ben)
            #expect(both.json?["pair"]?["second"]?["id"]?.string == "pond-2", "\(both.text)")
        }
    }

    @Test func `differences are told in the person's unit, and those of an episode with their beginning`() async throws
    {
        try await Self.with { gateway, anna, _ in
            _ = try await Self.pair(gateway, "pond-1", "pond-2", anna)
            try await gateway.database.sql(
                """
                UPDATE companion SET compared_at = now(), parameters = '{0,1,7}', differences = '{-0.5,0.46,NULL}';
                UPDATE setting SET unit = 'F' WHERE parameter = 0;
                INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, opened_at, last_at, differs_by)
                SELECT slot, device_id, 1, account_id, 1, 'fault', '2026-05-01T12:00:00Z', now(), 0.46 FROM ownership WHERE name = 'pond-1'
                """)
            let shown = try await gateway.request(.GET, Self.path("pond-1"), anna)
            let differences = try #require(shown.json?["pair"]?["differences"]?.array, "\(shown.text)")
            #expect(differences.map { $0["parameter"]?.string } == ["temperature", "ph", "dissolved_oxygen"])
            #expect(differences[0]["by"]?.number == -0.9 && differences[0]["unit"]?.string == "F", "\(shown.text)")
            #expect(differences[1]["by"]?.number == 0.5)
            #expect(differences[1]["since"]?.string == "2026-05-01T12:00:00Z" && differences[0]["since"] == .null)
            #expect(differences[2]["by"] == .null, "too few values in common")
            let device = try await gateway.request(.GET, "/api/v1/devices/pond-1", anna)
            #expect(device.json?["differingProbes"]?[0]?["parameter"]?.string == "ph", "\(device.text)")
            #expect(device.json?["brokenProbes"] == .array([]), "it gives values")
        }
    }

    @Test(arguments: [
        "UPDATE ownership SET unlinked_at = now() WHERE name = 'pond-1'",
        "UPDATE ownership SET unlinked_at = now() WHERE name = 'pond-2'",
        "UPDATE ownership SET account_id = (SELECT max(account_id) FROM account) WHERE name = 'pond-2'",
    ])
    func `a device that is given up leaves its pair`(_ ending: String) async throws {
        try await Self.with { gateway, anna, _ in
            _ = try await Self.pair(gateway, "pond-1", "pond-2", anna)
            try await gateway.database.sql(ending)
            #expect(try await gateway.ask("SELECT count(*) FROM companion") == "0")
            #expect(
                try await gateway.ask(
                    "SELECT string_agg(action, ' ' ORDER BY entry_id) FROM audit_entry WHERE action IN ('probe.pair', 'probe.withdraw')"
                )
                    == "probe.pair probe.withdraw")
        }
    }
}
