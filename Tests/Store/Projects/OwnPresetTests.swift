import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Store

/// Presets of one's own, and limits that settings take over as a whole.
@Suite struct OwnPresetTests {
    /// As settings hold them: temperature in Fahrenheit from 4 to 20 °C, with all that stands beside limits.
    private static let winter: LimitsDocument = {
        var range = PersonalRange(parameter: .temperature, unit: .fahrenheit, minimum: Steps(40), maximum: Steps(200))
        range.criticalMaximum = Steps(250)
        range.delay = .seconds(600)
        range.tellsUnstable = true
        range.changePerHour = Steps(15)
        range.ahead = .seconds(1_800)
        let dawn = LimitPeriod(hours: .init(begins: 240, ends: 420), season: nil, minimum: Steps(45))
        range.periods = (try? LimitPeriods(dawn.map { [$0] } ?? [], zone: "UTC")) ?? nil
        return LimitsDocument([range])
    }()

    private static func put(_ name: String, _ limits: LimitsDocument = winter) -> String {
        "SELECT outcome FROM put_preset(NULL, NULL, '\(name)', '\(limits.text)')"
    }

    private static let settings = """
        SELECT string_agg(concat_ws(' ', device_id, version, unit, minimum, maximum, critical_maximum, delay_seconds, tells_unstable,
                change_per_hour, ahead_minutes, colour, periods ->> 'zone', periods -> 'periods'), E'\\n' ORDER BY device_id)
        FROM setting WHERE parameter = 0 AND valid_until IS NULL AND account_id =
        """

    @Test func aNameStandsForOneAndAChangeNamesItsVersion() async throws {
        try await ProjectScene.with(others: 1, devices: 0) { scene in
            let (ana, lee) = (scene.ana, scene.others[0])
            #expect(try await scene.sql(Self.put("Winter")) == "made")
            #expect(try await scene.sql(Self.put("Winter")) == "named")
            #expect(try await scene.sql(Self.put("Winter"), as: lee) == "made", "another's name is another's")
            let id = try await scene.sql("SELECT preset_id FROM own_preset WHERE account_id = \(ana)")
            func change(_ version: Int, _ name: String, as person: Int64) async throws -> String {
                try await scene.sql(
                    "SELECT outcome FROM put_preset('\(id)', \(version), '\(name)', '\(Self.winter.text)')", as: person)
            }
            #expect(try await change(1, "Winter", as: ana) == "changed", "its own name is no other's")
            #expect(try await change(1, "Summer", as: ana) == "stale")
            #expect(try await change(2, "Summer", as: lee) == "unknown")
            #expect(try await scene.sql("SELECT drop_preset('\(id)')", as: lee) == "f")
            #expect(
                try await scene.sql("SELECT name || version FROM own_preset WHERE account_id = \(ana)") == "Winter2")
            #expect(try await scene.sql("SELECT drop_preset('\(id)')", as: ana) == "t")
            #expect(
                try await scene.sql(
                    "SELECT string_agg(action, ' ' ORDER BY entry_id) FROM audit_entry WHERE account_id = \(ana) AND action LIKE 'preset.%'"
                ) == "preset.change preset.change preset.remove")
            try await scene.sql("UPDATE growth_bound SET in_all = 1 WHERE held = 'own_preset'")
            #expect(try await scene.sql(Self.put("Summer"), as: lee) == "full")
        }
    }

    @Test func membersSeeThoseOfTheirProjects() async throws {
        try await ProjectScene.with(others: 2, devices: 0) { scene in
            let (lee, kim) = (scene.others[0], scene.others[1])
            #expect(try await scene.sql(Self.put("Trout"), as: scene.project) == "made")
            let seen = "SELECT string_agg(concat_ws(' of ', name, project), ', ') FROM person_preset"
            #expect(try await scene.sql(seen, as: scene.project) == "Trout")
            #expect(try await scene.join(lee, as: "viewer") == "joined")
            #expect(try await scene.sql(seen, as: lee) == "Trout of Koi Farm")
            #expect(try await scene.sql(seen, as: kim) == "")
            let drop = "SELECT drop_preset(preset_id) FROM own_preset"
            #expect(try await scene.sql(drop, as: lee) == "f", "a member changes none")
            #expect(try await scene.remove(lee) != "")
            #expect(try await scene.sql(seen, as: lee) == "")
            try await scene.sql("SELECT dissolve_project(\(scene.project))")
            #expect(try await scene.sql("SELECT count(*) FROM own_preset") == "0")
        }
    }

    /// All but colour and order, in the account's own zone; what is alike stays, and members who follow have it in the same moment.
    @Test func limitsAreTakenOverAsAWhole() async throws {
        try await ProjectScene.with(others: 1, devices: 3) { scene in
            let lee = scene.others[0]
            for device in 0..<3 { try await scene.link(device) }
            try await scene.sql("UPDATE account SET time_zone = 'Europe/Madrid' WHERE account_id = \(scene.project)")
            #expect(try await scene.join(lee, as: "keeper") == "joined")
            let (slots, ids) = (
                scene.devices.map { "\($0.slot.rawValue)" }.joined(separator: ","),
                scene.devices.map { "\($0.device.rawValue)" }.joined(separator: ",")
            )
            let take = "SELECT take_limits(\(scene.project), '{\(slots)}', '{\(ids)}', '\(Self.winter.text)')"
            #expect(try await scene.sql(take, as: scene.project) == "3")
            let rows = try await scene.sql("\(Self.settings) \(scene.project)").split(separator: "\n")
            #expect(rows.count == 3)
            for row in rows {
                #expect(
                    row.hasSuffix(
                        #"2 F 40 200 250 600 t 15 30 \#(Parameter.temperature.defaults.color) Europe/Madrid [{"from": 240, "until": 420, "minimum": 45}]"#
                    ), "\(row)")
            }
            let followed = """
                SELECT count(*) FROM setting WHERE account_id = \(lee) AND parameter = 0 AND valid_until IS NULL AND follows
                    AND (minimum, maximum, delay_seconds) = (40, 200, 600)
                """
            #expect(try await scene.sql(followed) == "3")
            #expect(try await scene.sql(take, as: scene.project) == "0", "again changes nothing")
            let others = "SELECT max(version) FROM setting WHERE parameter <> 0 AND account_id = \(scene.project)"
            #expect(try await scene.sql(others) == "1", "what a preset does not name stays")
            // A preset of the service's takes plain limits alone.
            let reef = "SELECT take_limits(\(scene.project), '{\(slots)}', '{\(ids)}', '\(LimitsDocument(.reef).text)')"
            #expect(try await scene.sql(reef, as: scene.project) == "3")
            let temperature = try await scene.sql("\(Self.settings) \(scene.project)").split(separator: "\n")
            #expect(
                temperature.allSatisfy {
                    $0.hasSuffix("3 F 240 270 600 t 15 30 \(Parameter.temperature.defaults.color)")
                }, "\(temperature)")
            // Limits of one's own from then on.
            #expect(
                try await scene.sql(
                    take.replacing("take_limits(\(scene.project)", with: "take_limits(\(lee)"), as: lee) == "3")
            #expect(try await scene.sql(followed) == "0")
        }
    }

    /// A device is enrolled with what the account may use then, and with the usual limits where that is gone.
    @Test(arguments: [true, false]) func aDeviceBeginsWithIt(isThere: Bool) async throws {
        try await ProjectScene.with(others: 0, devices: 1) { scene in
            try await scene.link(0, to: scene.ana)
            _ = try await scene.sql(Self.put("Winter"))
            let id = try await scene.sql("SELECT preset_id FROM own_preset")
            if !isThere { try await scene.sql("SELECT drop_preset('\(id)')") }
            let key = scene.devices[0]
            try await scene.sql(
                "SELECT begin_with_preset(\(key.slot.rawValue)::smallint, \(key.device.rawValue), \(scene.ana), '\(id)')"
            )
            let found = try await scene.sql("\(Self.settings) \(scene.ana)")
            #expect(found.contains(" 1 F 40 200 250 600 t 15 30 ") == isThere, "\(found)")
            #expect(try await scene.sql("SELECT count(*) FROM audit_entry WHERE action = 'limit.change'") == "0")
        }
    }

    /// Members who have the project's limits begin with the preset as well: they are those who are alerted.
    @Test func membersOfAProjectBeginWithItToo() async throws {
        try await ProjectScene.with(others: 1, devices: 1) { scene in
            let lee = scene.others[0]
            #expect(try await scene.join(lee, as: "keeper") == "joined")
            _ = try await scene.sql(Self.put("Winter"), as: scene.project)
            let id = try await scene.sql("SELECT preset_id FROM own_preset")
            try await scene.link(0)
            let key = scene.devices[0]
            try await scene.sql(
                "SELECT begin_with_preset(\(key.slot.rawValue)::smallint, \(key.device.rawValue), \(scene.project), '\(id)')",
                as: scene.project)
            let whole = try await scene.sql("\(Self.settings) \(scene.project)")
            #expect(whole.contains(" 1 F 40 200 250 600 t 15 30 "), "\(whole)")
            let followed = try await scene.sql("\(Self.settings) \(lee) AND follows")
            #expect(followed.contains(" 1 C 40 200 250 600 t 15 30 "), "\(followed)")
        }
    }
}
