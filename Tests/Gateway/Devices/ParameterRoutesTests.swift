import NIOHTTP1
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

@Suite struct ParameterRoutesTests {
    private let parameters = "/api/v1/devices/pond-1/parameters"

    private func withDevice(
        _ body: @Sendable @escaping (GatewayUnderTest, GatewayUnderTest.Person) async throws -> Void
    ) async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.device("pond-1", of: anna)
            try await body(gateway, anna)
        }
    }

    @Test func thoseOfAllDevicesAreListedPageByPage() async throws {
        try await withDevice { gateway, anna in
            let ben = try await gateway.person("ben@example.com")
            for (id, person) in [("pond-2", anna), ("pond-3", anna), ("bens", ben)] {
                try await gateway.device(id, of: person)
            }
            let alone = try await gateway.request(.GET, parameters, anna)
            let first = try await gateway.request(.GET, "/api/v1/parameters?limit=2", anna)
            let items = try #require(first.json?["items"])
            #expect(items[0]?["device"]?.string == "pond-1" && items[1]?["device"]?.string == "pond-2")
            #expect(items[2] == nil)
            #expect(items[0]?["parameters"] == alone.json)
            #expect(items[0]?["tag"]?.string == alone[header: "ETag"])
            let next = try #require(first.json?["next"]?.string)
            let second = try await gateway.request(.GET, "/api/v1/parameters?limit=2&cursor=\(next)", anna)
            #expect(second.json?["items"]?[0]?["device"]?.string == "pond-3" && second.json?["next"] == .null)
            #expect(!first.text.contains("bens") && !second.text.contains("bens"))
            #expect(second.json?["items"]?[1] == nil)
        }
    }

    @Test func limitsSnapInTheUnitAndAreShownBack() async throws {
        try await withDevice { gateway, anna in
            let path = "\(parameters)/temperature"
            let shown = try await gateway.request(.GET, path, anna)
            #expect(shown.json?["minimum"]?.number == 12 && shown.json?["units"] == ["C", "F", "K"])
            // 77.52 °F is 25.289 °C, snaps to 25.3 °C, which is 77.54 °F.
            let changed = try await gateway.request(
                .PATCH, path, anna, json: ["unit": "F", "maximum": 77.52, "minimum": .null, "colour": "#102030"],
                headers: ["If-Match": try #require(shown[header: "ETag"])])
            #expect(changed.status == 200, "\(changed.text)")
            #expect(changed.json?["maximum"]?.number == 77.5 && changed.json?["minimum"] == .null)
            #expect(changed.json?["greatest"]?.number == 104 && changed.json?["colour"]?.string == "#102030")
            #expect(
                try await gateway.ask("SELECT maximum FROM setting WHERE parameter = 0 AND valid_until IS NULL")
                    == "253"
            )
            let again = try await gateway.request(
                .PATCH, path, anna, json: ["maximum": 70], headers: ["If-Match": try #require(shown[header: "ETag"])])
            #expect(again.status == 412)
            let rules = try await gateway.ask("SELECT rules_version FROM device")
            let same = try await gateway.request(.PATCH, path, anna, json: ["unit": "F"], headers: ["If-Match": "*"])
            #expect(same.json?["version"] == changed.json?["version"], "what changes nothing makes no version")
            #expect(try await gateway.ask("SELECT rules_version FROM device") == rules)
        }
    }

    @Test(
        arguments: [
            ("alkalinity", "dKH", 8.0, 143, 1), ("hardness", "dGH", 12.3, 220, 1), ("hardness", "mmol/L", 2.14, 214, 2),
            ("alkalinity", "meq/L", 2.9, 145, 1), ("nitrate", "mg/L NO3-N", 9.9, 438, 1),
            ("ammonia", "mg/L NH3", 0.2, 21, 2),
            ("temperature", "K", 293.2, 200, 1), ("dissolved_oxygen", "mL/L", 5.6, 80, 1),
            ("salinity", "SG", 1.0121, 161, 4),
        ])
    func aLimitIsShownAsItWasEntered(
        _ parameter: String, _ unit: String, _ limit: Double, _ steps: Int, _ decimals: Int64
    ) async throws {
        try await withDevice { gateway, anna in
            let path = "\(parameters)/\(parameter)"
            let changed = try await gateway.request(
                .PATCH, path, anna, json: ["unit": .string(unit), "maximum": .number(limit), "minimum": .null],
                headers: ["If-Match": "*"])
            #expect(changed.status == 200, "\(changed.text)")
            let shown = try await gateway.request(.GET, path, anna)
            #expect(shown.json?["maximum"]?.number == limit && shown.json?["unit"]?.string == unit)
            #expect(shown.json?["decimals"]?.integer == decimals)
            let stored = "SELECT maximum FROM setting WHERE unit = '\(unit)' AND valid_until IS NULL"
            #expect(try await gateway.ask(stored) == "\(steps)")
        }
    }

    @Test func criticalLimitsAndADelayAreSetBesideTheLimits() async throws {
        try await withDevice { gateway, anna in
            let path = "\(parameters)/temperature"
            func change(_ change: JSON) async throws -> GatewayUnderTest.Reply {
                try await gateway.request(.PATCH, path, anna, json: change, headers: ["If-Match": "*"])
            }
            let shown = try await gateway.request(.GET, path, anna)
            #expect(shown.json?["criticalMaximum"] == .null && shown.json?["delaySeconds"]?.integer == 0)
            #expect(shown.json?["tellsUnstable"]?.bool == false)
            let set = try await change(
                ["unit": "F", "criticalMaximum": 86, "criticalMinimum": 41, "delaySeconds": 600, "tellsUnstable": true])
            #expect(set.status == 200, "\(set.text)")
            #expect(set.json?["criticalMaximum"]?.number == 86 && set.json?["criticalMinimum"]?.number == 41)
            #expect(set.json?["delaySeconds"]?.integer == 600 && set.json?["version"]?.integer == 2)
            #expect(set.json?["tellsUnstable"]?.bool == true)
            let stored = """
                critical_minimum, critical_maximum, delay_seconds, tells_unstable FROM setting
                WHERE parameter = 0 AND valid_until IS NULL
                """
            #expect(try await gateway.ask("SELECT \(stored)") == "50|300|600|t")
            // A limit beyond its critical one is refused, and the answer says what to do first.
            for (change, field, code) in [
                (["maximum": 86], "criticalMaximum", "critical-maximum-not-above"),
                (["minimum": 41], "criticalMinimum", "critical-minimum-not-below"),
                (["minimum": .null], "criticalMinimum", "critical-minimum-not-below"),
                (["criticalMaximum": 75.2], "criticalMaximum", "critical-maximum-not-above"),
                (["criticalMaximum": 105], "criticalMaximum", "beyond-sensor"),
                (["delaySeconds": 86_401], "delaySeconds", "too-large"),
                (["tellsUnstable": 1], "tellsUnstable", "not-boolean"),
            ] as [(JSON, String, String)] {
                let refused = try await gateway.request(.PATCH, path, anna, json: change, headers: ["If-Match": "*"])
                #expect(refused.status == 422, "\(change.text)")
                #expect(refused.json?["errors"]?[0]?["pointer"]?.string == "/\(field)", "\(refused.text)")
                #expect(refused.json?["errors"]?[0]?["code"]?.string == code, "\(refused.text)")
            }
            #expect(try await change(["minimum": .null, "criticalMinimum": .null]).status == 200)
            let reset = try await gateway.request(.POST, "\(parameters)/reset", anna)
            #expect(reset.status == 200)
            #expect(try await gateway.ask("SELECT \(stored)") == "||0|f")
        }
    }

    @Test func theGreatestChangeInAnHourIsSetAsADifference() async throws {
        try await withDevice { gateway, anna in
            func change(_ parameter: String, _ change: JSON) async throws -> GatewayUnderTest.Reply {
                try await gateway.request(
                    .PATCH, "\(parameters)/\(parameter)", anna, json: change, headers: ["If-Match": "*"])
            }
            let shown = try await gateway.request(.GET, "\(parameters)/temperature", anna)
            #expect(shown.json?["changePerHour"] == .null && shown.json?["change"]?["unit"]?.string == "C")
            #expect(shown.json?["change"]?["least"]?.number == 0.1 && shown.json?["change"]?["greatest"]?.number == 80)
            let set = try await change("temperature", ["unit": "F", "changePerHour": 9])
            #expect(set.status == 200, "\(set.text)")
            #expect(set.json?["changePerHour"]?.number == 9 && set.json?["change"]?["unit"]?.string == "F")
            let stored = "SELECT change_per_hour FROM setting WHERE parameter = 0 AND valid_until IS NULL"
            #expect(try await gateway.ask(stored) == "50")
            // Along a curve a difference has no fixed size.
            let gravity = try await change("salinity", ["unit": "SG", "changePerHour": 2])
            #expect(gravity.json?["changePerHour"]?.number == 2 && gravity.json?["change"]?["unit"]?.string == "ppt")
            for (value, code) in [(0, "beyond-change"), (145, "beyond-change"), (-1, "too-small")] as [(JSON, String)] {
                let refused = try await change("temperature", ["changePerHour": value])
                #expect(
                    refused.status == 422 && refused.json?["errors"]?[0]?["code"]?.string == code, "\(refused.text)")
                #expect(refused.json?["errors"]?[0]?["pointer"]?.string == "/changePerHour")
            }
            #expect(try await change("temperature", ["changePerHour": .null]).json?["changePerHour"] == .null)
            #expect(try await change("temperature", ["changePerHour": 9]).status == 200)
            #expect(try await gateway.request(.POST, "\(parameters)/reset", anna).status == 200)
            #expect(try await gateway.ask(stored) == "")
        }
    }

    @Test func limitsAreToldAheadByMinutes() async throws {
        try await withDevice { gateway, anna in
            func change(_ json: JSON) async throws -> GatewayUnderTest.Reply {
                try await gateway.request(
                    .PATCH, "\(parameters)/temperature", anna, json: json, headers: ["If-Match": "*"])
            }
            let shown = try await gateway.request(.GET, "\(parameters)/temperature", anna)
            #expect(shown.json?["aheadMinutes"] == .null)
            #expect(try await change(["aheadMinutes": 90]).json?["aheadMinutes"]?.integer == 90)
            let stored = "SELECT ahead_minutes FROM setting WHERE parameter = 0 AND valid_until IS NULL"
            #expect(try await gateway.ask(stored) == "90")
            #expect(try await change(["unit": "F"]).json?["aheadMinutes"]?.integer == 90)
            for (value, code) in [(14, "too-small"), (361, "too-large")] as [(JSON, String)] {
                let refused = try await change(["aheadMinutes": value])
                #expect(
                    refused.status == 422 && refused.json?["errors"]?[0]?["code"]?.string == code, "\(refused.text)")
                #expect(refused.json?["errors"]?[0]?["pointer"]?.string == "/aheadMinutes")
            }
            #expect(try await change(["aheadMinutes": .null]).json?["aheadMinutes"] == .null)
            #expect(try await change(["aheadMinutes": 360]).status == 200)
            #expect(try await gateway.request(.POST, "\(parameters)/reset", anna).status == 200)
            #expect(try await gateway.ask(stored) == "")
        }
    }

    @Test func theScaleTellsHowToConvert() async throws {
        try await withDevice { gateway, anna in
            let celsius = try await gateway.request(.GET, "\(parameters)/temperature", anna)
            #expect(celsius.json?["scale"]?["factor"]?.number == 1 && celsius.json?["scale"]?["offset"]?.number == 0)
            func scale(_ parameter: String, _ unit: String) async throws -> JSON {
                let reply = try await gateway.request(
                    .PATCH, "\(parameters)/\(parameter)", anna, json: ["unit": .string(unit)],
                    headers: ["If-Match": "*"])
                return try #require(reply.json?["scale"])
            }
            let fahrenheit = try await scale("temperature", "F")
            #expect(fahrenheit["factor"]?.number == 1.8 && fahrenheit["offset"]?.number == 32)
            #expect(fahrenheit["unit"]?.string == "C" && fahrenheit["decimals"]?.integer == 1)
            #expect(fahrenheit["table"] == .null)
            let degrees = try await scale("alkalinity", "dKH")
            let factor = try #require(degrees["factor"]?.number)
            #expect(abs(factor * 17.848 - 1) < 1e-5, "with all digits: \(factor)")
            #expect(degrees["decimals"]?.integer == 0)
            let gravity = try await scale("salinity", "SG")
            #expect(gravity["factor"] == .null && gravity["offset"] == .null)
            #expect(gravity["table"]?["first"]?.number == 0 && gravity["table"]?["step"]?.number == 0.1)
            #expect(gravity["table"]?["values"]?.array?.count == 421)
            #expect(gravity["table"]?["values"]?[350]?.number == 1.02637271)
        }
    }

    @Test(
        arguments: [
            ("salinity", ["unit": "SG", "maximum": 1.2], "beyond-sensor"),
            ("alkalinity", ["unit": "dGH"], "not-a-choice"),
            ("salinity", ["unit": "uS/cm"], "not-a-choice"), ("ph", ["unit": "Bq"], "not-a-choice"),
            ("temperature", ["maximum": 41], "beyond-sensor"), ("temperature", ["minimum": 24], "limits-cross"),
            ("ammonia", ["minimum": 0.1], "no-minimum"), ("ph", ["unit": "F"], "not-a-choice"),
            ("ph", ["colour": "RED"], "pattern"), ("ph", ["maximum": "8"], "not-number"),
            ("ph", ["limit": 8], "unknown"),
        ] as [(String, JSON, String)])
    func whatCannotHoldIsRefusedByName(_ parameter: String, _ json: JSON, _ fault: String) async throws {
        try await withDevice { gateway, anna in
            let before = try await gateway.fingerprint()
            let reply = try await gateway.request(
                .PATCH, "\(parameters)/\(parameter)", anna, json: json, headers: ["If-Match": "*"])
            #expect(reply.status == 422 && reply.json?["errors"]?[0]?["code"]?.string == fault, "\(reply.text)")
            #expect(try await gateway.fingerprint() == before)
        }
    }

    @Test func theOrderIsOfAllAndOfTheLatestVersion() async throws {
        try await withDevice { gateway, anna in
            let list = try await gateway.request(.GET, parameters, anna)
            let tag = try #require(list[header: "ETag"])
            let names = try (0..<Parameter.allCases.count).map { try #require(list.json?[$0]?["name"]?.string) }
            #expect(names.first == "temperature" && names.last == Parameter.allCases.last?.name)
            func order(_ names: [String], _ tag: String) async throws -> GatewayUnderTest.Reply {
                try await gateway.request(
                    .PUT, "\(parameters)/order", anna, json: ["order": .array(names.map(JSON.string))],
                    headers: ["If-Match": tag])
            }
            #expect(try await order(Array(names.dropLast()), tag).status == 422)
            #expect(try await order(names.dropLast() + ["ph"], tag).status == 422)
            let reversed = try await order(names.reversed(), tag)
            #expect(reversed.json?[0]?["name"]?.string == Parameter.allCases.last?.name)
            #expect(try await order(names, tag).status == 412)
            let reset = try await gateway.request(.POST, "\(parameters)/reset", anna)
            #expect(reset.json?[0]?["name"]?.string == "temperature" && reset.json?[0]?["maximum"]?.number == 24)
        }
    }

    /// A tag names the bytes as sent; either form's tag permits a change.
    @Test func whatIsCompressedHasATagOfItsOwn() async throws {
        try await withDevice { gateway, anna in
            let packed = try await gateway.request(.GET, parameters, anna, headers: ["Accept-Encoding": "gzip"])
            let plain = try await gateway.request(.GET, parameters, anna)
            #expect(packed[header: "Content-Encoding"] == "gzip" && packed.body.count < plain.body.count / 4)
            #expect(try await gunzip(packed.body) == plain.body)
            let tag = try #require(packed[header: "ETag"])
            #expect(plain[header: "ETag"].map { $0.dropLast() + "-gzip\"" } == tag)
            let preset: JSON = ["preset": "reef"]
            let wrong = try await gateway.request(
                .POST, "\(parameters)/preset", anna, json: preset,
                headers: ["If-Match": tag.replacing("-gzip", with: "-br")])
            #expect(wrong.status == 412)
            let applied = try await gateway.request(
                .POST, "\(parameters)/preset", anna, json: preset, headers: ["If-Match": tag])
            #expect(applied.status == 200, "\(applied.text)")
        }
    }

    @Test func whatAWatcherSetsIsTheirs() async throws {
        try await withDevice { gateway, anna in
            let ben = try await gateway.person("ben@example.com")
            #expect(try await gateway.accept(gateway.invite(to: "pond-1", by: anna), ben).status == 201)
            let changed = try await gateway.request(
                .PATCH, "\(parameters)/ph", ben, json: ["maximum": 8], headers: ["If-Match": "*"])
            #expect(changed.json?["maximum"]?.number == 8)
            let annas = try await gateway.request(.GET, "\(parameters)/ph", anna)
            #expect(annas.json?["maximum"]?.number == 8.5)
        }
    }
}

@Suite struct SettingsRoutesTests {
    @Test func settingsChangeOnTheirLatestVersion() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            let path = "/api/v1/settings"
            let shown = try await gateway.request(.GET, path, anna)
            #expect(shown.json?["timeZone"]?.string == "UTC" && shown.json?["throttleSeconds"] == .null)
            let tag = try #require(shown[header: "ETag"])
            func change(_ json: JSON, _ tag: String) async throws -> GatewayUnderTest.Reply {
                try await gateway.request(.PATCH, path, anna, json: json, headers: ["If-Match": tag])
            }
            let changed = try await change(
                ["timeZone": "europe/vienna", "language": "ja", "throttleSeconds": 600, "colourScheme": "dark"], tag)
            #expect(changed.status == 200, "\(changed.text)")
            #expect(changed.json?["timeZone"]?.string == "Europe/Vienna")
            #expect(changed.json?["throttleSeconds"]?.integer == 600)
            #expect(try await change(["language": "es"], tag).status == 412)
            let next = try #require(changed[header: "ETag"])
            let unknown = try await change(["timeZone": "Europe/Nowhere"], next)
            #expect(unknown.status == 422)
            #expect(unknown.json?["errors"]?[0]?["code"]?.string == "unknown-time-zone")
            #expect(try await change(["throttleSeconds": 5], next).status == 422)
            #expect(try await change(["throttleSeconds": .null], next).json?["throttleSeconds"] == .null)
        }
    }

    @Test func timeZonesThatAreListedCanBeSet() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            let zones = try await gateway.request(.GET, "/api/v1/time-zones", anna)
            #expect(zones.text.contains("\"Europe/Vienna\"") && zones.text.contains("\"UTC\""))
            #expect(!zones.text.contains("posix/"))
        }
    }
}
