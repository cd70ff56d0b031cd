import NIOHTTP1
import Routes
import TestSupport
import Testing
import WaterQuality
import Words

@testable import Gateway

/// Presets over HTTP.
@Suite(.timeLimit(.minutes(10))) struct PresetRoutesTests {
    private let parameters = "/api/v1/devices/pond-1/parameters"

    @Test func presetsAreToldInThePersonsLanguage() async throws {
        try await GatewayUnderTest.with { gateway in
            let kenji = try await gateway.person("kenji@example.com", locale: "ja")
            let presets = try #require(try await gateway.request(.GET, "/api/v1/presets", kenji).json?.array)
            #expect(presets.map { $0["id"]?.string } == Preset.allCases.map(\.rawValue))
            let reef = try #require(presets.first { $0["id"]?.string == "reef" })
            #expect(reef["name"]?.string == "サンゴ水槽" && reef["sources"]?.array?.isEmpty == false)
            let limits = try #require(reef["limits"]?.array)
            #expect(limits.count == 17)
            let salinity = try #require(limits.first { $0["parameter"]?.string == "salinity" })
            #expect(salinity["minimum"]?.number == 34 && salinity["maximum"]?.number == 36)
            #expect(salinity["unit"]?.string == "ppt" && salinity["convention"]?.bool == false)
            for (parameter, digits) in [("salinity", 1), ("phosphate", 2), ("magnesium", 0)] {
                #expect(limits.first { $0["parameter"]?.string == parameter }?["decimals"]?.integer == Int64(digits))
            }
            let ammonia = try #require(limits.first { $0["parameter"]?.string == "ammonia" })
            #expect(ammonia["minimum"] == .null && ammonia["maximum"]?.number == 0.1)
            let english = try await gateway.request(
                .GET, "/api/v1/presets", kenji, headers: ["Accept-Language": "en"])
            #expect(english.json?[0]?["name"]?.string == "Community tank, fresh water")
            #expect(try await gateway.request(.GET, "/api/v1/presets").status == 401)
        }
    }

    @Test func aDeviceBeginsWithThem() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            let code = try await gateway.addDevice("pond-1")
            let linked = try await gateway.request(
                .POST, "/api/v1/devices", anna,
                json: ["claimCode": .string(code), "name": "Reef", "preset": "reef"])
            #expect(linked.status == 201, "\(linked.text)")
            #expect(
                try await gateway.ask(
                    "SELECT string_agg(concat(minimum, '-', maximum), ' ' ORDER BY parameter) FROM setting WHERE parameter < 9"
                )
                    == "240-270 78-84 -10 -100 -20 125-196 - 60- 340-360")
            let other = try await gateway.addDevice("pond-2")
            let refused = try await gateway.request(
                .POST, "/api/v1/devices", anna,
                json: ["claimCode": .string(other), "name": "Cats", "preset": "cats"])
            #expect(refused.status == 422 && refused.json?["errors"]?[0]?["code"]?.string == "not-a-choice")
        }
    }

    @Test func theyAreTakenOverAtOnceAndAsVersions() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.device("pond-1", of: anna)
            let changed = try await gateway.request(
                .PATCH, "\(parameters)/temperature", anna,
                json: ["unit": "F", "colour": "green", "criticalMaximum": 80], headers: ["If-Match": "*"])
            #expect(changed.status == 200)
            let before = try await gateway.request(.GET, parameters, anna)
            let tag = try #require(before[header: "ETag"])
            let applied = try await gateway.request(
                .POST, "\(parameters)/preset", anna, json: ["preset": "goldfish_koi"], headers: ["If-Match": tag])
            #expect(applied.status == 200, "\(applied.text)")
            let temperature = try #require(applied.json?[0])
            #expect(temperature["minimum"]?.number == 35.6 && temperature["maximum"]?.number == 84.2)
            #expect(temperature["unit"]?.string == "F" && temperature["colour"]?.string == "green")
            // 80 degrees are within the new limits.
            #expect(temperature["criticalMaximum"] == .null)
            #expect(
                try await gateway.ask(
                    """
                    SELECT string_agg(concat(minimum, '-', maximum), ' ' ORDER BY parameter) FROM setting
                    WHERE valid_until IS NULL AND parameter < 9
                    """) == "20-290 70-85 -20 -500 -20 71- - 50- -")
            // All parameters change at the same moment.
            #expect(
                try await gateway.ask(
                    "SELECT count(DISTINCT valid_from) FROM setting WHERE valid_until IS NULL AND parameter < 9") == "1"
            )
            // The version that was read is no longer current.
            let late = try await gateway.request(
                .POST, "\(parameters)/preset", anna, json: ["preset": "reef"], headers: ["If-Match": tag])
            #expect(late.status == 412)
            let unseen = try await gateway.request(.POST, "\(parameters)/preset", anna, json: ["preset": "reef"])
            #expect(unseen.status == 428)
            // Applying it twice changes nothing.
            let rules = try await gateway.ask("SELECT rules_version FROM device")
            let again = try await gateway.request(
                .POST, "\(parameters)/preset", anna, json: ["preset": "goldfish_koi"], headers: ["If-Match": "*"])
            #expect(again.status == 200)
            #expect(try await gateway.ask("SELECT rules_version FROM device") == rules)
            let eve = try await gateway.person("eve@example.com")
            let foreign = try await gateway.request(
                .POST, "\(parameters)/preset", eve, json: ["preset": "reef"], headers: ["If-Match": "*"])
            #expect(foreign.status == 404)
        }
    }
}
