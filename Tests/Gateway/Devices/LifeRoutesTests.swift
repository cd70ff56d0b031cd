import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Lives of two devices: Anna's pond-1 has a low battery and old firmware, her pond-2 runs the newest.
@Suite struct LifeRoutesTests {
    private let life = "/api/v1/devices/pond-1/life"
    private let lives = "/api/v1/device-lives"

    private func note(_ gateway: GatewayUnderTest, at time: String = "now() + interval '1 s'") async throws {
        try await gateway.database.sql(
            """
            INSERT INTO device_life (slot, device_id, family, version, version_at, battery, battery_at, signal, signal_at, started_at, reset,
                    noted_at)
                SELECT slot, device_id, 'native', CASE hardware_id WHEN 'pond-1' THEN '1.6.2' ELSE '1.8.0' END, t.at,
                    CASE hardware_id WHEN 'pond-1' THEN 9.5 END, t.at, -67, t.at, t.at, 'brownout', t.at
                FROM device, (SELECT \(time)) AS t (at) WHERE hardware_id LIKE 'pond%';
            INSERT INTO device_life_day (slot, device_id, day, battery, signal, restarts, noted_at)
                SELECT slot, device_id, (now() AT TIME ZONE 'UTC')::date - n, 9.5 + 2 * n, -70 - n, 0, \(time)
                FROM device, generate_series(0, 9) n WHERE hardware_id = 'pond-1';
            INSERT INTO device_life_change (slot, device_id, at, kind, former, value)
                SELECT slot, device_id, \(time), 'version', '1.6.0', '1.6.2' FROM device WHERE hardware_id = 'pond-1'
            """)
    }

    @Test func theOwnerSeesIt() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.device("pond-1", of: anna)
            try await gateway.device("pond-2", of: anna)
            let silent = try await gateway.request(.GET, life, anna)
            #expect(silent.status == 200 && silent.json?["family"] == .null && silent.json?["needs"]?[0] == nil)
            try await note(gateway)
            let shown = try await gateway.request(.GET, life, anna)
            let json = try #require(shown.json)
            #expect(json["device"]?.string == "pond-1" && json["family"]?.string == "native")
            #expect(json["version"]?.string == "1.6.2" && json["isOlder"] == .bool(true) && json["newer"] == .null)
            #expect(shown.text.contains("\"battery\":9.5") && shown.text.contains("\"daysLeft\":5"))
            #expect(shown.text.contains("\"signal\":-67") && json["resetReason"]?.string == "brownout")
            #expect(json["needs"]?[0]?.string == "battery" && json["needs"]?[1]?.string == "firmware")
            #expect(json["needs"]?[2] == nil && json["silence"] == .null)
            #expect(json["days"]?[9]?["day"]?.string != nil && json["days"]?[10] == nil)
            #expect(json["changes"]?[0]?["from"]?.string == "1.6.0" && json["changes"]?[0]?["to"]?.string == "1.6.2")

            let listed = try await gateway.request(.GET, lives, anna)
            let items = try #require(listed.json?["items"])
            #expect(items[0]?["device"]?.string == "pond-1" && items[1]?["device"]?.string == "pond-2")
            #expect(items[1]?["isOlder"] == .bool(false) && items[1]?["needs"]?[0] == nil && items[2] == nil)
            let first = try await gateway.request(.GET, "\(lives)?limit=1", anna)
            #expect(first.json?["items"]?[1] == nil && first.json?["next"]?.string != nil)
        }
    }

    /// A watcher sees what was said since they joined, compares with devices of their own, and a stranger learns nothing.
    @Test func othersSeeWhatIsTheirs() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (try await gateway.person(), try await gateway.person("ben@example.com"))
            let eve = try await gateway.person("eve@example.com")
            try await gateway.device("pond-1", of: anna)
            try await gateway.device("pond-2", of: anna)
            try await note(gateway, at: "now() - interval '1 hour'")
            #expect(try await gateway.accept(gateway.invite(to: "pond-1", by: anna), ben).status == 201)
            let before = try await gateway.request(.GET, life, ben)
            #expect(before.status == 200 && before.json?["family"] == .null && before.json?["days"]?[0] == nil)
            try await gateway.database.sql(
                "UPDATE device_life SET noted_at = now() + interval '1 s', battery_at = now() + interval '1 s'")
            let after = try await gateway.request(.GET, life, ben)
            #expect(after.json?["version"]?.string == "1.6.2" && after.text.contains("\"battery\":9.5"))
            #expect(after.json?["isOlder"] == .bool(false), "pond-2 is none of Ben's")
            #expect(after.json?["signal"] == .null && after.json?["versionSince"] == .null, "that was before")
            #expect(try await gateway.request(.GET, life, eve).status == 404)
            #expect(try await gateway.request(.GET, lives, eve).json?["items"]?[0] == nil)
            let token = try await gateway.personalToken(anna, scope: "read")
            #expect(try await gateway.request(.GET, life, token: token).status == 200)
        }
    }

    /// A silent device says what it had said before it fell silent, in the list of devices as well.
    @Test func aSilenceIsExplained() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.device("pond-1", of: anna)
            try await note(gateway, at: "now() - interval '2 hours'")
            let heard = try await gateway.request(.GET, "/api/v1/devices/pond-1", anna)
            #expect(heard.json?["silenceHint"] == .null, "it is not silent")
            try await gateway.database.sql(
                """
                INSERT INTO episode (slot, device_id, account_id, episode_id, kind, opened_at, last_at)
                SELECT slot, device_id, account_id, 1, 'silence', now() - interval '1 hour', now() FROM ownership
                """)
            for path in ["/api/v1/devices/pond-1", "/api/v1/devices", life] {
                let reply = try await gateway.request(.GET, path, anna)
                #expect(reply.text.contains("\"kind\":\"battery\",\"number\":10"), "\(path): \(reply.text)")
            }
        }
    }
}
