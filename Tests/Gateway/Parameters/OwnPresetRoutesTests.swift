import NIOHTTP1
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Presets of a person's and a project's own over HTTP.
@Suite(.timeLimit(.minutes(10))) struct OwnPresetRoutesTests {
    private static let presets = "/api/v1/presets"
    private static let winter: JSON = [
        "name": "Winter",
        "limits": [
            [
                "parameter": "temperature", "unit": "F", "minimum": 39.2, "maximum": 68, "criticalMaximum": 77,
                "delaySeconds": 600, "tellsUnstable": true, "changePerHour": 3.6, "aheadMinutes": 30,
                "periods": [["from": "04:00", "until": "07:00", "minimum": 41]],
            ],
            ["parameter": "ph", "minimum": 7, "maximum": .null],
        ],
    ]

    @Test func oneIsMadeShownChangedAndDeleted() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            let made = try await gateway.request(.POST, Self.presets, anna, json: Self.winter)
            #expect(made.status == 201, "\(made.text)")
            let path = try #require(made[header: "Location"])
            let parameters = try #require(made.json?["parameters"]?.array)
            #expect(parameters.map { $0["name"]?.string } == ["temperature", "ph"])
            #expect(parameters[0]["unit"]?.string == "F" && parameters[0]["minimum"]?.number == 39.2)
            #expect(parameters[0]["delaySeconds"]?.integer == 600 && parameters[0]["changePerHour"]?.number == 3.6)
            #expect(parameters[0]["periods"]?[0]?["minimum"]?.number == 41)
            #expect(parameters[1]["maximum"] == .null && parameters[1]["criticalMinimum"] == .null)
            // The preset stands first, in canonical units.
            let listed = try #require(try await gateway.request(.GET, Self.presets, anna).json?[0])
            #expect(listed["own"] == .bool(true) && listed["id"] == made.json?["id"] && listed["project"] == .null)
            #expect(listed["limits"]?[0]?["minimum"]?.number == 4 && listed["limits"]?[0]?["periods"]?.integer == 1)

            let unseen = try await gateway.request(.PUT, path, anna, json: Self.winter)
            #expect(unseen.status == 428)
            let tag = try #require(made[header: "ETag"])
            let next: JSON = ["name": "Cold", "limits": [["parameter": "ph", "minimum": 6.5]]]
            let changed = try await gateway.request(.PUT, path, anna, json: next, headers: ["If-Match": tag])
            #expect(changed.status == 200 && changed.json?["parameters"]?.array?.count == 1, "\(changed.text)")
            let late = try await gateway.request(.PUT, path, anna, json: next, headers: ["If-Match": tag])
            #expect(late.status == 412)
            let again = try await gateway.request(.POST, Self.presets, anna, json: next)
            #expect(again.status == 409 && again.code == "preset-named", "\(again.text)")
            let eve = try await gateway.person("eve@example.com")
            #expect(try await gateway.request(.GET, path, eve).status == 404)
            #expect(try await gateway.request(.PUT, path, eve, json: next, headers: ["If-Match": "*"]).status == 404)
            #expect(try await gateway.request(.DELETE, path, eve).status == 404)
            #expect(try await gateway.request(.DELETE, path, anna).status == 204)
            #expect(try await gateway.request(.GET, path, anna).status == 404)
        }
    }

    @Test func whatCannotBeIsToldWhereItStands() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            for (limits, code, pointer) in [
                ([["parameter": "ph", "minimum": 8, "maximum": 7]], "limits-cross", "/limits/0/minimum"),
                ([["parameter": "ph", "unit": "C", "minimum": 7]], "not-a-choice", "/limits/0/unit"),
                ([["parameter": "ph", "minimum": 7], ["parameter": "ph", "maximum": 8]], "repeated", "/limits"),
                ([["parameter": "ph"]], "not-a-change-of-limits", "/limits/0"),
                ([["parameter": "ph", "minimum": 7, "colour": "red"]], "not-a-change-of-limits", "/limits/0/colour"),
                ([], "too-few", "/limits"),
            ] as [(JSON, String, String)] {
                let refused = try await gateway.request(
                    .POST, Self.presets, anna, json: ["name": "Winter", "limits": limits])
                let fault = refused.json?["errors"]?[0]
                #expect(refused.status == 422 && fault?["code"]?.string == code, "\(refused.text)")
                #expect(fault?["pointer"]?.string?.hasSuffix(pointer) ?? false, "\(refused.text)")
            }
            #expect(try await gateway.ask("SELECT count(*) FROM own_preset") == "0")
        }
    }

    @Test func aDeviceBeginsWithItAndAnotherTakesItOver() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            let made = try await gateway.request(.POST, Self.presets, anna, json: Self.winter)
            let id = try #require(made.json?["id"])
            let code = try await gateway.addDevice("pond-1")
            let linked = try await gateway.request(
                .POST, "/api/v1/devices", anna, json: ["claimCode": .string(code), "name": "Pond", "preset": id])
            #expect(linked.status == 201, "\(linked.text)")
            let held = """
                SELECT string_agg(concat_ws(' ', unit, minimum, maximum, critical_maximum, delay_seconds), ', ' ORDER BY device_id)
                FROM setting WHERE parameter = 0 AND valid_until IS NULL
                """
            #expect(try await gateway.ask(held) == "F 40 200 250 600")
            try await gateway.device("pond-2", of: anna)
            let taken = try await gateway.request(
                .POST, "/api/v1/parameters/preset", anna, json: ["preset": id, "devices": ["pond-1", "pond-2"]])
            #expect(taken.json?["devices"]?.integer == 2 && taken.json?["changed"]?.integer == 1, "\(taken.text)")
            #expect(try await gateway.ask(held) == "F 40 200 250 600, F 40 200 250 600")
            // A change of the preset is none of the devices.
            let changed = try await gateway.request(
                .PUT, "\(Self.presets)/\(id.string ?? "")", anna,
                json: ["name": "Winter", "limits": [["parameter": "temperature", "minimum": 1]]],
                headers: ["If-Match": "*"])
            #expect(changed.status == 200)
            #expect(try await gateway.ask(held) == "F 40 200 250 600, F 40 200 250 600")

            let eve = try await gateway.person("eve@example.com")
            try await gateway.device("pond-3", of: eve)
            let foreign = try await gateway.request(
                .POST, "/api/v1/devices/pond-3/parameters/preset", eve, json: ["preset": id], headers: ["If-Match": "*"]
            )
            #expect(foreign.status == 422 && foreign.json?["errors"]?[0]?["code"]?.string == "unknown-preset")
            let others = try await gateway.request(
                .POST, "/api/v1/parameters/preset", anna, json: ["preset": "reef", "devices": ["pond-1", "pond-3"]])
            #expect(others.status == 422 && others.json?["errors"]?[0]?["code"]?.string == "not-own-device")
            let refused = try await gateway.request(
                .POST, "/api/v1/devices", eve,
                json: ["claimCode": .string(try await gateway.addDevice("pond-4")), "name": "Pond", "preset": id])
            #expect(refused.status == 422, "\(refused.text)")
            #expect(
                try await gateway.ask(
                    "SELECT count(*) FROM ownership JOIN device USING (slot, device_id) WHERE hardware_id = 'pond-4'")
                    == "0")
        }
    }

    @Test func administratorsChangeThoseOfAProjectAndMembersUseThem() async throws {
        try await ProjectScene.with { scene in
            let gateway = scene.gateway
            let made = try await gateway.request(
                .POST, Self.presets, scene.administrator, json: Self.winter, headers: scene.acting)
            #expect(made.status == 201, "\(made.text)")
            let path = try #require(made[header: "Location"])
            for member in [scene.keeper, scene.viewer] {
                let shown = try await gateway.request(.GET, path, member)
                #expect(shown.status == 200 && shown.json?["project"]?.string == "Koi Farm")
                let asProject = try await gateway.request(.DELETE, path, member, headers: scene.acting)
                #expect(asProject.status == 403)
            }
            for person in [scene.keeper, scene.owner] {
                let own = try await gateway.request(.PUT, path, person, json: Self.winter, headers: ["If-Match": "*"])
                #expect(own.status == 404, "it is changed as the project alone")
            }
            #expect(try await gateway.request(.GET, path, scene.former).status == 404)
            #expect(try await gateway.request(.GET, path, scene.stranger).status == 404)
            let id = try #require(made.json?["id"])
            let used = try await gateway.request(
                .POST, "\(scene.device)/parameters/preset", scene.keeper, json: ["preset": id],
                headers: ["If-Match": "*"])
            #expect(used.status == 200 && used.json?[0]?["follows"] == .bool(false), "\(used.text)")
            let viewers = try await gateway.request(
                .POST, "/api/v1/parameters/preset", scene.viewer, json: ["preset": id, "devices": ["pond-1"]])
            #expect(viewers.status == 403 && viewers.code == "viewers-only-look", "\(viewers.text)")
            let whole = try await gateway.request(
                .POST, "/api/v1/parameters/preset", scene.owner, json: ["preset": id, "devices": ["pond-1"]],
                headers: scene.acting)
            #expect(whole.json?["changed"]?.integer == 1, "\(whole.text)")
        }
    }
}
