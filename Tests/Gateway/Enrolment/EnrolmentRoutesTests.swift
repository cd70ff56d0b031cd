import HTTPTypes
import NIOHTTP1
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Requests to the enroller, who is played by its role at the database.
@Suite(.timeLimit(.minutes(5))) struct EnrolmentRoutesTests {
    private static let path = "/api/v1/enrolment"

    private static func key(_ keys: MessageKeys) -> JSON {
        ["public": .string(Base64URL.text(keys.publicKey)), "auth": .string(Base64URL.text(keys.secret))]
    }

    private static func devices(_ ids: String...) -> JSON { .array(ids.map { ["id": .string($0)] }) }

    private static func beat(_ gateway: GatewayUnderTest, allowing: String = "people", aDay: Int = 1_000) async throws {
        try await gateway.database.sql(
            "SELECT beat_enroller('\(allowing)', \(aDay), 's{slot}.mqtt.example.org', 8883, true, 'https://water.example:8885', NULL)",
            as: .enroller)
    }

    private static func ask(
        _ gateway: GatewayUnderTest, _ person: GatewayUnderTest.Person, _ devices: JSON,
        keys: MessageKeys = MessageKeys(),
        headers: HTTPHeaders = [:]
    ) async throws -> GatewayUnderTest.Reply {
        try await gateway.request(
            .POST, path, person, json: ["key": key(keys), "devices": devices], headers: headers)
    }

    /// Makes all that waits, as the enroller does, without a broker; what is sealed is the byte 1.
    private static func make(_ gateway: GatewayUnderTest) async throws {
        let waiting = try await gateway.database.sql(
            "SELECT batch, line, hardware_id FROM take_enrolments(1000)", as: .enroller)
        for row in waiting.split(separator: "\n") {
            let cells = row.split(separator: "|").map(String.init)
            let slot = Slot(of: try #require(Device.HardwareID(cells[2]))).rawValue
            try await gateway.database.sql(
                """
                SELECT enrol_device('\(cells[0])', \(cells[1])::smallint, \(slot)::smallint, sha256('\(cells[2])'), repeat('0', 16),
                    repeat('0', 16), sha256('\(cells[2])'), '\\x01', '{1}', '{pH}', '{60}', '{80}', '{red}', '{1}')
                """, as: .enroller)
        }
    }

    @Test func whatIsThereIsShown() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            let off = try await gateway.request(.GET, Self.path, anna).json
            #expect(off?["state"]?.string == "off" && off?["allowed"] == false && off?["httpUrl"] == .null)
            #expect(try await Self.ask(gateway, anna, Self.devices("pond-1")).code == "enroller-silent")
            try await Self.beat(gateway)
            let ready = try await gateway.request(.GET, Self.path, anna).json
            #expect(ready?["state"]?.string == "ready" && ready?["allowed"] == true && ready?["left"]?.integer == 1_000)
            #expect(ready?["port"]?.integer == 8_883 && ready?["tls"] == true)
            #expect(ready?["httpUrl"]?.string == "https://water.example:8885")
            try await gateway.database.sql("UPDATE enroller_state SET heard_at = now() - interval '2 minutes'")
            #expect(try await gateway.request(.GET, Self.path, anna).json?["state"]?.string == "silent")
            let silent = try await Self.ask(gateway, anna, Self.devices("pond-1"))
            #expect(silent.status == 503 && silent.code == "enroller-silent" && silent[header: "Retry-After"] == "60")
            #expect(try await gateway.ask("SELECT count(*) FROM enrolment") == "0")
        }
    }

    @Test func whoeverAsksGetsWhatIsSealedAndNobodyElseSeesIt() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (
                try await gateway.person("anna@example.com"), try await gateway.person("ben@example.com")
            )
            try await Self.beat(gateway)
            let asked = try await Self.ask(
                gateway, anna, [["id": "pond-1", "name": "Garden pond", "firmware": "tasmota"], ["name": "Tank"]])
            #expect(asked.status == 202, "\(asked.text)")
            let batch = "\(Self.path)/batches/\(try #require(asked.json?["batch"]?.string))"
            let waiting = try await gateway.request(.GET, batch, anna).json
            #expect(
                waiting?["state"]?.string == "waiting" && waiting?["done"]?.integer == 0 && waiting?["of"]?.integer == 2
            )
            #expect(waiting?["devices"]?[0]?["firmware"]?.string == "tasmota")
            #expect(waiting?["devices"]?[1]?["id"]?.string?.hasPrefix("aqua-") == true)
            try await Self.make(gateway)
            let done = try await gateway.request(.GET, batch, anna).json
            #expect(done?["state"]?.string == "done" && done?["devices"]?[0]?["sealed"]?.string == "AQ")
            for method in [HTTPMethod.GET, .DELETE] {
                #expect(try await gateway.request(method, batch, ben).status == 404)
            }
            #expect(
                try await gateway.request(.GET, "/api/v1/devices/pond-1", anna).json?["name"]?.string == "Garden pond")
            #expect(try await gateway.request(.DELETE, batch, anna).status == 204)
            #expect(try await gateway.request(.GET, batch, anna).status == 404)
            #expect(try await gateway.ask("SELECT count(*) FROM enrolment_device") == "0")
        }
    }

    @Test func oneBatchIsOpenAndARepeatedRequestIsTheSame() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await Self.beat(gateway)
            let keys = MessageKeys()
            let repeated: HTTPHeaders = ["Idempotency-Key": "one"]
            let first = try await Self.ask(gateway, anna, Self.devices("pond-1"), keys: keys, headers: repeated)
            let again = try await Self.ask(gateway, anna, Self.devices("pond-1"), keys: keys, headers: repeated)
            #expect(first.status == 202 && again.status == 202 && first.text == again.text)
            #expect(try await Self.ask(gateway, anna, Self.devices("pond-2")).code == "batch-open")
            let batch = try #require(first.json?["batch"]?.string)
            #expect(try await gateway.request(.DELETE, "\(Self.path)/batches/\(batch)", anna).status == 204)
            #expect(try await Self.ask(gateway, anna, Self.devices("pond-2")).status == 202)
            // Devices that were called off count all the same.
            #expect(try await gateway.request(.GET, Self.path, anna).json?["left"]?.integer == 998)
        }
    }

    @Test func whatIsNoRequestIsRefused() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await Self.beat(gateway)
            for devices: JSON in [
                [], [["id": "aqua_admin"]], [["id": "pond 1"]], [["id": "pond-1"], ["id": "pond-1"]],
                [["id": "pond-1", "firmware": "windows"]], [["id": "pond-1", "owner": "ben"]],
                .array((0...1_000).map { ["id": .string("pond-\($0)")] }),
            ] {
                #expect(try await Self.ask(gateway, anna, devices).status == 422)
            }
            let noPoint: JSON = [
                "public": .string(Base64URL.text([4] + [UInt8](repeating: 1, count: 64))),
                "auth": .string(Base64URL.text([UInt8](repeating: 1, count: 16))),
            ]
            let refused = try await gateway.request(
                .POST, Self.path, anna, json: ["key": noPoint, "devices": Self.devices("pond-1")])
            #expect(refused.status == 422 && refused.text.contains("not-a-page-key"))
            #expect(try await gateway.ask("SELECT count(*) FROM enrolment") == "0")
        }
    }

    /// A thousand devices with names, which are more than other requests may have.
    @Test func aThousandAreAskedForAtOnce() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await Self.beat(gateway)
            let name = JSON.string(String(repeating: "x", count: 64))
            let devices = JSON.array((1...1_000).map { ["id": .string("pond-\($0)"), "name": name] })
            let asked = try await Self.ask(gateway, anna, devices)
            #expect(asked.status == 202, "\(asked.text)")
            #expect(try await gateway.request(.GET, Self.path, anna).json?["left"]?.integer == 0)
            try await gateway.database.sql("DELETE FROM enrolment")
            let more = try await Self.ask(gateway, anna, Self.devices("tank-1"))
            #expect(more.status == 409 && more.code == "too-many-today")
        }
    }

    @Test func aListIsLookedAtBeforeAnythingIsDone() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (
                try await gateway.person("anna@example.com"), try await gateway.person("ben@example.com")
            )
            try await gateway.link("pond-1", to: anna)
            try await gateway.link("pond-2", to: ben)
            let list: JSON = ["csv": "hardware_id,name\npond-1,Pond\npond-2,\npond-3,\npond 4,\n"]
            #expect(try await gateway.request(.POST, "\(Self.path)/look", anna, json: list).code == "not-allowed-here")
            try await Self.beat(gateway)
            let seen = try await gateway.request(.POST, "\(Self.path)/look", anna, json: list).json
            let states = (0..<3).map { seen?["devices"]?[$0]?["state"]?.string }
            #expect(states == ["known", "taken", "new"])
            #expect(seen?["faults"]?[0]?["line"]?.integer == 5 && seen?["faults"]?[0]?["code"]?.string == "id")
            #expect(try await gateway.ask("SELECT count(*) FROM device") == "2")
        }
    }

    @Test func aListNamesPresetsOfOnesOwn() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (
                try await gateway.person("anna@example.com"), try await gateway.person("ben@example.com")
            )
            try await Self.beat(gateway)
            let made = try await gateway.request(
                .POST, "/api/v1/presets", anna,
                json: ["name": "Soft", "limits": [["parameter": "ph", "minimum": 6.5, "maximum": .null]]])
            let id = try #require(made.json?["id"], "\(made.text)")
            let list: JSON = ["csv": "hardware_id,preset\nnew-1,Soft\nnew-2,reef\nnew-3,Hard"]
            let seen = try await gateway.request(.POST, "\(Self.path)/look", anna, json: list).json
            #expect(seen?["devices"]?[0]?["preset"] == id && seen?["devices"]?[0]?["presetName"]?.string == "Soft")
            #expect(seen?["devices"]?[1]?["preset"]?.string == "reef")
            #expect(seen?["faults"]?[0]?["line"]?.integer == 4 && seen?["faults"]?[0]?["code"]?.string == "preset")
            let others = try await gateway.request(.POST, "\(Self.path)/look", ben, json: list).json
            #expect(others?["faults"]?.array?.count == 2, "Anna's preset is hers")

            let wish: JSON = [["id": "new-1", "preset": id]]
            let foreign = try await Self.ask(gateway, ben, wish)
            #expect(
                foreign.status == 422 && foreign.json?["errors"]?[0]?["code"]?.string == "unknown-preset",
                "\(foreign.text)")
            #expect(try await Self.ask(gateway, anna, wish).status == 202)
            try await Self.make(gateway)
            #expect(
                try await gateway.ask(
                    "SELECT concat_ws(' ', version, minimum, maximum) FROM setting WHERE parameter = 1")
                    == "1 65")
        }
    }

    @Test func aProjectEnrolsWherePeopleMayNot() async throws {
        try await ProjectScene.with { scene in
            try await Self.beat(scene.gateway, allowing: "projects")
            #expect(try await Self.ask(scene.gateway, scene.owner, Self.devices("new-1")).code == "not-allowed-here")
            for person in [scene.keeper, scene.viewer] {
                let refused = try await Self.ask(
                    scene.gateway, person, Self.devices("new-1"), headers: scene.acting)
                #expect(refused.status == 403 && refused.code == "administrators-only")
            }
            let asked = try await Self.ask(
                scene.gateway, scene.administrator, Self.devices("new-1"), headers: scene.acting)
            #expect(asked.status == 202, "\(asked.text)")
            let batch = "\(Self.path)/batches/\(try #require(asked.json?["batch"]?.string))"
            #expect(try await scene.gateway.request(.GET, batch, scene.owner, headers: scene.acting).status == 404)
            #expect(try await scene.gateway.request(.GET, batch, scene.administrator).status == 404)
            // A person who may act for the project no more gets nothing of what they asked for.
            #expect(try await scene.remove(scene.administrator, by: scene.owner).status == 204)
            try await Self.make(scene.gateway)
            #expect(
                try await scene.gateway.ask("SELECT concat_ws(' ', state, reason) FROM enrolment_device")
                    == "refused withdrawn")
            let again = try await Self.ask(scene.gateway, scene.owner, Self.devices("new-1"), headers: scene.acting)
            #expect(again.status == 202)
            try await Self.make(scene.gateway)
            let seen = try await scene.gateway.request(.GET, "/api/v1/devices/new-1", scene.keeper)
            #expect(seen.status == 200, "each member has it")
        }
    }

    @Test func anOwnerGetsANewKeyAndAWatcherDoesNot() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (
                try await gateway.person("anna@example.com"), try await gateway.person("ben@example.com")
            )
            try await gateway.link("pond-1", to: anna)
            #expect(try await gateway.accept(gateway.invite(to: "pond-1", by: anna), ben).status == 201)
            try await Self.beat(gateway, allowing: "projects")
            let (path, body) = ("/api/v1/devices/pond-1/key", ["key": Self.key(MessageKeys())] as JSON)
            #expect(try await gateway.request(.POST, path, ben, json: body).code == "owner-only")
            #expect(
                try await gateway.request(.POST, path, try await gateway.person("eve@example.com"), json: body).status
                    == 404)
            let asked = try await gateway.request(.POST, path, anna, json: body)
            #expect(asked.status == 202, "\(asked.text)")
            let batch = "\(Self.path)/batches/\(try #require(asked.json?["batch"]?.string))"
            let open = try await gateway.request(.DELETE, batch, anna)
            #expect(open.status == 409 && open.code == "batch-open", "the broker may have the key by now")
            try await gateway.database.sql(
                "SELECT rekey_device(batch, line, generation + 1, repeat('0', 16), sha256('x'), '\\x02') FROM take_enrolments(1)",
                as: .enroller)
            let done = try await gateway.request(.GET, batch, anna).json
            #expect(done?["kind"]?.string == "rotate" && done?["devices"]?[0]?["sealed"]?.string == "Ag")
        }
    }
}
