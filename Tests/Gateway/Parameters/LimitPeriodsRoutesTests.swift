import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Limits by time of day and season through the API: Anna owns pond-1.
@Suite struct LimitPeriodsRoutesTests {
    private static let path = "/api/v1/devices/pond-1/parameters/dissolved_oxygen"
    private static let dawn: JSON = ["from": "04:00", "until": "07:00", "minimum": 4.5, "criticalMinimum": 3]
    /// One of the two holds at each time.
    private static let always: JSON = [
        ["from": "00:00", "until": "12:00", "minimum": 4.5], ["from": "12:00", "until": "00:00", "minimum": 4.5],
    ]

    private static let noPeriods: [(JSON, String)] = [
        (["minimum": 4.5, "maximum": 9], "period-at-all-times"),
        (["from": "04:00", "minimum": 4.5], "not-a-period"), (["from": "04:00", "until": "04:00"], "no-length"),
        (["firstDay": "02-30", "lastDay": "03-01"], "not-a-day-of-year"),
        (["from": "04:00", "until": "07:00", "minimum": 9, "maximum": 4.5], "limits-cross"),
        (["from": "04:00", "until": "07:00", "criticalMinimum": 3], "critical-minimum-not-below"),
    ]

    private func withDevice(
        _ body: @Sendable @escaping (GatewayUnderTest, GatewayUnderTest.Person) async throws -> Void
    ) async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.device("pond-1", of: anna)
            try await body(gateway, anna)
        }
    }

    private func change(
        _ json: JSON, _ gateway: GatewayUnderTest, _ person: GatewayUnderTest.Person, path: String = path
    ) async throws -> GatewayUnderTest.Reply {
        let shown = try await gateway.request(.GET, path, person)
        return try await gateway.request(
            .PATCH, path, person, json: json, headers: ["If-Match": try #require(shown[header: "ETag"])])
    }

    @Test func periodsStandBesideThePlainLimits() async throws {
        try await withDevice { gateway, anna in
            let winter: JSON = [
                "from": "08:00", "until": "20:00", "firstDay": "11-01", "lastDay": "03-15", "minimum": 4, "maximum": 12,
            ]
            let changed = try await change(["minimum": 6, "periods": [Self.dawn, winter]], gateway, anna)
            #expect(changed.status == 200, "\(changed.text)")
            #expect(changed.json?["minimum"]?.number == 6, "the plain limit is the plain one")
            let periods = try #require(changed.json?["periods"]?.array)
            #expect(periods.count == 2 && periods[0]["from"]?.string == "04:00" && periods[0]["firstDay"] == .null)
            #expect(periods[0]["minimum"]?.number == 4.5 && periods[0]["criticalMinimum"]?.number == 3)
            #expect(periods[0]["maximum"] == .null, "what a period leaves out is not limited in it")
            #expect(periods[1]["lastDay"]?.string == "03-15" && periods[1]["maximum"]?.number == 12)
            #expect(changed.json?["periodZone"]?.string != nil)
            #expect(changed.json?["held"]?["until"]?.string != nil)
            #expect(try await gateway.request(.GET, Self.path, anna).json?["periods"] == changed.json?["periods"])

            // Another change leaves them as they are; none takes them away, and with them what holds now.
            let colour = try await change(["colour": "#102030"], gateway, anna)
            #expect(colour.json?["periods"] == changed.json?["periods"])
            let none = try await change(["periods": []], gateway, anna)
            #expect(none.json?["periods"] == [] && none.json?["held"] == .null && none.json?["periodZone"] == .null)
            #expect(none.json?["minimum"]?.number == 6)
        }
    }

    @Test func periodsThatHoldAtOneTimeAreRefusedByName() async throws {
        try await withDevice { gateway, anna in
            let night: JSON = ["from": "22:00", "until": "05:00", "minimum": 5]
            let reply = try await change(["periods": [Self.dawn, night]], gateway, anna)
            let fault = reply.json?["errors"]?[0]
            #expect(reply.status == 422, "\(reply.text)")
            #expect(fault?["code"]?.string == "periods-overlap")
            #expect("\(reply.text)".contains(#""first":1"#) && "\(reply.text)".contains(#""second":2"#))
            #expect(try await gateway.ask("SELECT count(*) FROM setting WHERE periods IS NOT NULL") == "0")
        }
    }

    @Test(arguments: noPeriods) func whatIsNoPeriodIsRefused(period: JSON, code: String) async throws {
        try await withDevice { gateway, anna in
            let reply = try await change(["periods": [period]], gateway, anna)
            #expect(reply.json?["errors"]?[0]?["code"]?.string == code, "\(reply.text)")
        }
    }

    @Test func whatHoldsNowIsShownWhereverLimitsAre() async throws {
        try await withDevice { gateway, anna in
            _ = try await gateway.ask(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, dissolved_oxygen)
                SELECT slot, 0, device_id, now(), now(), 5 FROM device RETURNING 1
                """)
            let changed = try await change(["minimum": 6, "periods": Self.always], gateway, anna)
            #expect(changed.json?["held"]?["minimum"]?.number == 4.5, "\(changed.text)")
            let latest = try await gateway.request(.GET, "/api/v1/readings/latest", anna)
            #expect(latest.json?.array?.first?["minimum"]?.number == 4.5, "\(latest.text)")
            let all = try await gateway.request(.GET, "/api/v1/parameters", anna)
            let items = all.json?["items"]?[0]?["parameters"]?.array ?? []
            let held = items.first { $0["name"]?.string == "dissolved_oxygen" }?["held"]
            #expect(held?["minimum"]?.number == 4.5, "\(all.text)")
            #expect(items.filter { $0["held"] != .null }.count == 1, "the others have none")
        }
    }

    @Test func limitsAreShownOverTime() async throws {
        try await withDevice { gateway, anna in
            _ = try await gateway.ask("UPDATE account SET time_zone = 'Europe/Madrid' RETURNING 1")
            _ = try await change(["minimum": 6, "periods": [Self.dawn]], gateway, anna)
            let query = "?from=2026-05-01T00:00:00Z&until=2026-05-02T00:00:00Z"
            let steps = try await gateway.request(.GET, "\(Self.path)/limits\(query)", anna)
            let rows = try #require(steps.json?.array, "\(steps.text)")
            #expect(rows.map { $0["period"] } == [.null, 0, .null])
            #expect(rows.map { $0["minimum"]?.number } == [6, 4.5, 6])
            #expect(
                rows.map { $0["from"]?.string } == [
                    "2026-05-01T00:00:00Z", "2026-05-01T02:00:00Z", "2026-05-01T05:00:00Z",
                ])
            #expect(rows.last?["until"]?.string == "2026-05-02T00:00:00Z")
            let eve = try await gateway.person("eve@example.com")
            #expect(try await gateway.request(.GET, "\(Self.path)/limits\(query)", eve).status == 404)
            let empty = "?from=2026-05-02T00:00:00Z&until=2026-05-01T00:00:00Z"
            #expect(try await gateway.request(.GET, "\(Self.path)/limits\(empty)", anna).status == 422)
        }
    }

    /// A preset's limits, and those of a new device, hold at all times.
    @Test func whatReplacesLimitsTakesTheirPeriodsAlong() async throws {
        try await withDevice { gateway, anna in
            _ = try await change(["periods": [Self.dawn]], gateway, anna)
            let reset = try await gateway.request(.POST, "/api/v1/devices/pond-1/parameters/reset", anna)
            #expect(reset.status == 200, "\(reset.text)")
            #expect(try await gateway.request(.GET, Self.path, anna).json?["periods"] == [])
        }
    }

    @Test func theyAreAmongWhatThePersonTakesAlong() async throws {
        try await withDevice { gateway, anna in
            _ = try await change(["minimum": 6, "periods": [Self.dawn]], gateway, anna)
            let note = try await gateway.ask(
                "SELECT changes -> 'periods' ->> 1 FROM audit_entry WHERE changes ? 'periods'")
            #expect(note == "04:00–07:00: 4.5 / – / 3", "the record of changes says so, too")
        }
    }
}

/// A project's limits at other times: members who follow have them, by the clock of the project.
@Suite struct FollowedPeriodsTests {
    @Test func followersHaveTheProjectsPeriods() async throws {
        try await ProjectScene.with { scene in
            let path = "\(scene.device)/parameters/temperature"
            let period: JSON = ["from": "04:00", "until": "07:00", "minimum": 4, "maximum": 12]
            let many = try await scene.gateway.request(
                .PUT, "\(scene.path)/parameters/temperature", scene.owner, json: ["periods": [period]])
            #expect(many.status == 200 && many.json?["changed"] == 1, "\(many.text)")
            let followed = try await scene.gateway.request(.GET, path, scene.keeper)
            #expect(followed.json?["follows"] == .bool(true))
            #expect(followed.json?["periods"]?[0]?["maximum"]?.number == 12, "\(followed.text)")
            // One's own are one's own from then on.
            let own = try await scene.gateway.request(
                .PATCH, path, scene.keeper, json: ["periods": []],
                headers: ["If-Match": try #require(followed[header: "ETag"])])
            #expect(own.json?["follows"] == .bool(false) && own.json?["periods"] == [], "\(own.text)")
            let again = try await scene.gateway.request(.PUT, "\(path)/following", scene.keeper)
            #expect(again.status == 204, "\(again.text)")
            let back = try await scene.gateway.request(.GET, path, scene.keeper)
            #expect(back.json?["periods"] == followed.json?["periods"] && back.json?["follows"] == .bool(true))
        }
    }
}
