import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// A device with a probe in the water, AA01, and one in the room, AA02.
@Suite struct ProbeRoutesTests {
    private let probes = "/api/v1/devices/pond-1/probes"

    private func report(_ gateway: GatewayUnderTest) async throws {
        try await gateway.database.sql(
            """
            INSERT INTO temperature_probe (slot, device_id, probe_id) SELECT slot, device_id, 'AA01' FROM device;
            INSERT INTO reported_probe
                SELECT slot, device_id, p.id, p.value, now() + interval '1 s'
                FROM device, (VALUES ('AA01', 23.25), ('AA02', NULL)) AS p (id, value)
            """)
    }

    private func choose(
        _ id: JSON, _ person: GatewayUnderTest.Person, tag: String = "*", _ gateway: GatewayUnderTest
    ) async throws -> GatewayUnderTest.Reply {
        try await gateway.request(.PUT, "\(probes)/chosen", person, json: ["id": id], headers: ["If-Match": tag])
    }

    @Test func theOwnerSeesAndChooses() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.device("pond-1", of: anna)
            #expect(try await gateway.request(.GET, probes, anna).text == "[]")
            try await report(gateway)
            let listed = try await gateway.request(.GET, probes, anna)
            let tag = try #require(listed[header: "ETag"])
            #expect(listed.json?[0]?["id"]?.string == "AA01" && listed.json?[0]?["chosen"] == .bool(true))
            #expect(listed.json?[0]?["unit"]?.string == "C" && "\(listed.text)".contains("\"value\":23.25"))
            #expect(listed.json?[0]?["reportedAt"]?.string?.hasPrefix("20") == true)
            #expect(listed.json?[1]?["chosen"] == .bool(false) && listed.json?[1]?["value"] == .null)
            #expect(listed.json?[2] == nil)

            let chosen = try await choose("aa02", anna, tag: tag, gateway)
            #expect(chosen.status == 200 && chosen[header: "ETag"] != tag)
            #expect(chosen.json?[1]?["chosen"] == .bool(true) && chosen.json?[0]?["chosen"] == .bool(false))
            #expect(try await gateway.ask("SELECT probe_id FROM temperature_probe") == "AA02")
            let late = try await choose("AA01", anna, tag: tag, gateway)
            #expect(late.status == 412, "somebody else was faster")
            let again = try await choose("AA02", anna, tag: try #require(chosen[header: "ETag"]), gateway)
            #expect(again.status == 200 && again.body == chosen.body, "as often as one likes")
        }
    }

    @Test func whatCannotBeChosenIsRefused() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.device("pond-1", of: anna)
            try await report(gateway)
            let other = try await choose("AA03", anna, gateway)
            #expect(other.status == 422 && other.text.contains("not-reported"))
            #expect(try await choose("no id", anna, gateway).status == 422)
            #expect(try await choose("00000000000000000", anna, gateway).status == 422)
            let unread = try await gateway.request(.PUT, "\(probes)/chosen", anna, json: ["id": "AA02"])
            #expect(unread.status == 428)
            #expect(try await gateway.ask("SELECT probe_id FROM temperature_probe") == "AA01")
        }
    }

    /// A watcher reads in their own unit, and a stranger learns nothing.
    @Test func othersDoNotChoose() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (try await gateway.person(), try await gateway.person("ben@example.com"))
            let eve = try await gateway.person("eve@example.com")
            try await gateway.device("pond-1", of: anna)
            #expect(try await gateway.accept(gateway.invite(to: "pond-1", by: anna), ben).status == 201)
            try await report(gateway)
            let unit = try await gateway.request(
                .PATCH, "/api/v1/devices/pond-1/parameters/temperature", ben, json: ["unit": "F"],
                headers: ["If-Match": "*"])
            #expect(unit.status == 200)
            let listed = try await gateway.request(.GET, probes, ben)
            #expect(listed.status == 200 && listed.json?[0]?["unit"]?.string == "F")
            #expect(listed.text.contains("73.85"))
            let refused = try await choose("AA02", ben, gateway)
            #expect(refused.status == 403 && refused.code == "owner-only")
            #expect(try await gateway.request(.GET, probes, eve).status == 404)
            #expect(try await choose("AA02", eve, gateway).status == 404)

            let token = try await gateway.personalToken(anna, scope: "read")
            #expect(try await gateway.request(.GET, probes, token: token).status == 200)
            let weak = try await gateway.request(
                .PUT, "\(probes)/chosen", token: token, json: ["id": "AA02"], headers: ["If-Match": "*"])
            #expect(weak.status == 403)
            #expect(try await gateway.ask("SELECT probe_id FROM temperature_probe") == "AA01")
        }
    }
}
