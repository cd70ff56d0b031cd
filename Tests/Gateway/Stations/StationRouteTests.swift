import NIOHTTP1
import Routes
import Stations
import TestSupport
import Testing

@testable import Gateway

/// Others' public stations: who chooses one for a site, who sees it, and what ends it.
@Suite(.timeLimit(.minutes(5))) struct StationRouteTests {
    private typealias Person = GatewayUnderTest.Person

    private static let hosts = StationHosts([StationHosts.usgs, "sta.example"])
    private static let river: JSON = ["kind": "usgs", "station": "USGS-01646500"]

    /// Anna has a site and a pond, and Ben watches the site.
    private static func with(
        _ hosts: StationHosts = hosts,
        _ body:
            @Sendable @escaping (GatewayUnderTest, GatewayUnderTest.Person, GatewayUnderTest.Person, String)
            async throws -> Void
    ) async throws {
        let allow: GatewayUnderTest.Adjustment = { $0.stations = hosts }
        try await GatewayUnderTest.with(allow) { gateway in
            let anna = try await gateway.person()
            let ben = try await gateway.person("ben@example.com")
            try await gateway.link("pond-1", to: anna)
            let made = try await gateway.request(.POST, "/api/v1/sites", anna, json: ["name": "Weir"])
            let site = try #require(made.json?["id"]?.string, "\(made.text)")
            #expect(try await gateway.accept(gateway.invite(to: site, by: anna), ben).status == 201)
            try await body(gateway, anna, ben, "/api/v1/devices/\(site)/station")
        }
    }

    @Test func `an owner chooses a station, sees how it does, and lets it go`() async throws {
        try await Self.with { gateway, anna, _, path in
            let none = try await gateway.request(.GET, path, anna)
            #expect(
                none.text
                    == #"{"station":null,"kinds":["usgs","sensorThings"],"hosts":["api.waterdata.usgs.gov","sta.example"]}"#
            )
            let set = try await gateway.request(.PUT, path, anna, json: Self.river)
            #expect(set.status == 200, "\(set.text)")
            let station = try #require(set.json?["station"])
            #expect(station["station"]?.string == "01646500" && station["source"]?.string == "U.S. Geological Survey")
            #expect(station["page"]?.string == "https://waterdata.usgs.gov/monitoring-location/USGS-01646500/")
            #expect(station["fetchedAt"] == .null && station["fault"] == .null && station["series"] == [])
            try await gateway.database.sql(
                """
                UPDATE station SET title = 'Potomac River', fault = 'unreachable', fetched_at = now(), seen_until = now(),
                    series = '[{"id":"a","name":"Temperature, water","unit":"C","parameter":"temperature","newest":"2026-11-30T12:00:00Z"}]'
                """)
            let same = try await gateway.request(.PUT, path, anna, json: Self.river)
            #expect(same.json?["station"]?["title"]?.string == "Potomac River", "the same again changes nothing")
            let shown = try await gateway.request(.GET, path, anna)
            #expect(shown.json?["station"]?["fault"]?.string == "unreachable")
            #expect(shown.json?["station"]?["series"]?[0]?["newest"]?.string == "2026-11-30T12:00:00Z", "\(shown.text)")
            for (pause, holds) in [("1 day", "t"), ("10 years", "f")] {
                try await gateway.database.sql("UPDATE station_host SET paused_until = now() + interval '\(pause)'")
                let reply = try await gateway.request(.GET, path, anna)
                let due = try #require(reply.json?["station"]?["dueAt"]?.string)
                let isLater = "'\(due)'::timestamptz > now() + interval '23 hours'"
                #expect(try await gateway.ask("SELECT \(isLater)") == holds, "a pause of \(pause)")
            }
            #expect(try await gateway.request(.DELETE, path, anna).status == 204)
            #expect(try await gateway.request(.DELETE, path, anna).status == 204)
            #expect(try await gateway.request(.GET, path, anna).json?["station"] == .null)
            let acts = "SELECT string_agg(action, ' ' ORDER BY entry_id) FROM audit_entry WHERE action LIKE 'station.%'"
            #expect(try await gateway.ask(acts) == "station.set station.end")
        }
    }

    @Test func `what the owner says of series is kept, and the last day is asked for anew`() async throws {
        try await Self.with { gateway, anna, _, path in
            _ = try await gateway.request(.PUT, path, anna, json: Self.river)
            try await gateway.database.sql(
                "UPDATE station SET seen_until = now(), entity_tag = '\"1\"', due_at = now() + interval '1 day', title = 'Potomac'"
            )
            let series: JSON = [["id": "a", "parameter": "ph"], ["id": "b", "parameter": nil]]
            let set = try await gateway.request(
                .PUT, path, anna, json: ["kind": "usgs", "station": "01646500", "series": series])
            #expect(set.status == 200 && set.json?["station"]?["title"]?.string == "Potomac", "\(set.text)")
            #expect(try await gateway.ask("SELECT choice FROM station") == #"{"a": "ph", "b": ""}"#)
            #expect(
                try await gateway.ask("SELECT concat_ws('|', seen_until, entity_tag, due_at <= now()) FROM station")
                    == "t")
        }
    }

    @Test func `what is no station, or not allowed, is refused`() async throws {
        try await Self.with { gateway, anna, _, path in
            let cases: [(JSON, String)] = [
                (["kind": "usgs", "station": "nowhere"], "not-a-station"),
                (["kind": "sensorThings", "station": "https://sta.example/v1.1/Datastreams(1)"], "not-a-station"),
                (["kind": "sensorThings", "station": "http://sta.example/v1.1/Things(1)"], "not-a-station"),
                (["kind": "sensorThings", "station": "https://10.0.0.1/v1.1/Things(1)"], "station-not-allowed"),
                (
                    ["kind": "sensorThings", "station": "https://elsewhere.example/v1.1/Things(1)"],
                    "station-not-allowed"
                ),
                (["kind": "usgs", "station": "01646500", "series": [["id": "a"]]], "not-a-series"),
                (
                    [
                        "kind": "usgs", "station": "01646500",
                        "series": [["id": .string(String(repeating: "水", count: 120)), "parameter": nil]],
                    ], "not-a-series"
                ),
                (["kind": "other", "station": "01646500"], "not-a-choice"),
            ]
            for (json, fault) in cases {
                let reply = try await gateway.request(.PUT, path, anna, json: json)
                #expect(reply.status == 422 && reply.text.contains(fault), "\(json): \(reply.text)")
            }
            let device = try await gateway.request(.PUT, "/api/v1/devices/pond-1/station", anna, json: Self.river)
            #expect(device.status == 422 && device.text.contains("not-a-site"), "\(device.text)")
            #expect(try await gateway.ask("SELECT count(*) FROM station") == "0")
        }
        try await Self.with(.none) { gateway, anna, _, path in
            let shown = try await gateway.request(.GET, path, anna)
            #expect(shown.json?["kinds"] == [] && shown.json?["station"] == .null)
            let reply = try await gateway.request(.PUT, path, anna, json: Self.river)
            #expect(reply.status == 422 && reply.text.contains("station-not-allowed"))
        }
    }

    @Test func `whoever shares the site sees its station, and changes none`() async throws {
        try await Self.with { gateway, anna, ben, path in
            _ = try await gateway.request(.PUT, path, anna, json: Self.river)
            #expect(try await gateway.request(.GET, path, ben).json?["station"]?["station"]?.string == "01646500")
            for method in [HTTPMethod.PUT, .DELETE] {
                let reply = try await gateway.request(
                    method, path, ben, json: method == .PUT ? Self.river : Optional<JSON>.none)
                #expect(reply.status == 403 && reply.code == "owner-only", "\(method): \(reply.text)")
            }
            let eve = try await gateway.person("eve@example.com")
            #expect(try await gateway.request(.GET, path, eve).status == 404)
        }
    }

    /// Naming a station asks it at once: nobody has that done without end.
    @Test func `a station is chosen twenty times a day, whatever is let go between`() async throws {
        try await Self.with { gateway, anna, _, path in
            for number in 0..<20 {
                let station: JSON = .string(String(10_000_000 + number))
                let reply = try await gateway.request(.PUT, path, anna, json: ["kind": "usgs", "station": station])
                #expect(reply.status == 200, "\(reply.text)")
                if number.isMultiple(of: 5) { _ = try await gateway.request(.DELETE, path, anna) }
            }
            #expect(try await gateway.request(.PUT, path, anna, json: Self.river).status == 429)
            try await gateway.database.sql("UPDATE station SET set_first = set_first - interval '25 hours'")
            #expect(try await gateway.request(.PUT, path, anna, json: Self.river).status == 200)
        }
    }

    @Test func `a site that is given up has no station any more, and one that changes hands takes it along`()
        async throws
    {
        try await Self.with { gateway, anna, ben, path in
            _ = try await gateway.request(.PUT, path, anna, json: Self.river)
            try await gateway.database.sql("DELETE FROM ownership WHERE role = 'watcher'")
            try await gateway.database.sql(
                "UPDATE ownership SET account_id = \(ben.account) WHERE account_id = \(anna.account) AND device_id = (SELECT device_id FROM station)"
            )
            #expect(try await gateway.ask("SELECT account_id FROM station") == "\(ben.account)")
            try await gateway.database.sql("UPDATE ownership SET unlinked_at = now() WHERE account_id = \(ben.account)")
            #expect(try await gateway.ask("SELECT count(*) FROM station") == "0")
        }
    }
}
