import NIOHTTP1
import Routes
import SensorThings
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// SensorThings over HTTP, against a real database.
@Suite(.timeLimit(.minutes(10))) struct SensorThingsRoutesTests {
    @Test func theRootNamesEverySetAndWhatIsServed() async throws {
        try await SensorThingsScene.with { scene in
            let root = try #require(try await scene.ask("").json)
            #expect(root["value"]?.array?.map { $0["name"]?.string } == EntitySet.allCases.map(\.rawValue))
            #expect(root["value"]?[0]?["url"]?.string == "https://water.example/sta/v1.1/Things")
            let classes = root["serverSettings"]?["conformance"]?.array?.compactMap(\.string) ?? []
            #expect(classes.contains("http://www.opengis.net/spec/iot_sensing/1.1/req/request-data/pagination"))
            #expect(!classes.contains { $0.contains("create") || $0.hasSuffix("built-in-query-functions") })
        }
    }

    /// Observations can be published once somebody said where: at the broker of the device's slot.
    @Test(arguments: [("mqtt.example.org", 1), ("s{slot}.mqtt.example.org", Int(Slot.count))])
    func theRootNamesTheBrokers(_ host: String, _ count: Int) async throws {
        try await SensorThingsScene.with { scene in
            try await scene.gateway.database.sql(
                """
                INSERT INTO enroller_state (heard_at, allowed, a_day, host, port, tls)
                VALUES (now(), 'projects', 1000, '\(host)', 8883, true)
                """)
            let settings = try #require(try await scene.ask("").json?["serverSettings"])
            let creation =
                "http://www.opengis.net/spec/iot_sensing/1.1/req/create-observations-via-mqtt/observations-creation"
            #expect(settings["conformance"]?.array?.last?.string == creation)
            let endpoints = settings[creation]?["endpoints"]?.array?.compactMap(\.string) ?? []
            #expect(endpoints.count == count)
            #expect(endpoints.first == "mqtts://\(host.replacing("{slot}", with: "0")):8883")
        }
    }

    @Test func aThingHasItsFactsAndLinks() async throws {
        try await SensorThingsScene.with { scene in
            let thing = try #require(try await scene.list("Things").first)
            let own = "https://water.example/sta/v1.1/Things(\(scene.device))"
            #expect(thing["@iot.id"]?.integer == scene.device && thing["@iot.selfLink"]?.string == own)
            #expect(thing["name"]?.string == "Koi" && thing["properties"]?["hardwareId"]?.string == "tank-1")
            #expect(thing["properties"]?["kind"]?.string == "device")
            #expect(thing["Datastreams@iot.navigationLink"]?.string == own + "/Datastreams")
            #expect(try await scene.ask("Things(\(scene.device))").json == thing)
        }
    }

    @Test func datastreamsAreWhatWasMeasured() async throws {
        try await SensorThingsScene.with { scene in
            let streams = try await scene.list("Things(\(scene.device))/Datastreams")
            #expect(streams.map { $0["@iot.id"]?.string } == Self.streamsByID)
            #expect(streams[2]["@iot.selfLink"]?.string?.hasSuffix("/Datastreams('tank-1:temperature')") == true)
            #expect(streams[2]["name"]?.string == "Koi: Temperature")
            #expect(streams[2]["unitOfMeasurement"]?["definition"]?.string == "ucum:Cel")
            #expect(streams[0]["description"]?.string?.hasSuffix("measured by hand") == true)
            let sensor = try #require(try await scene.ask("Datastreams(\(scene.nitrateByHand))/Sensor").json)
            #expect(sensor["@iot.id"]?.integer == scene.device * 2 + 1 && sensor["name"]?.string == "Koi: by hand")
            let property = try #require(try await scene.ask("Datastreams(\(scene.ph))/ObservedProperty").json)
            #expect(property["@iot.id"]?.integer == 1)
            let others = try await scene.list("ObservedProperties(1)/Datastreams")
            #expect(others.map { $0["@iot.id"]?.string } == ["tank-1:ph"])
        }
    }

    private static let streamsByID = ["tank-1:nitrate:hand", "tank-1:ph", "tank-1:temperature"]

    /// Ids of Datastreams are the names that their device publishes under, and come in their order, whatever devices are called.
    @Test func datastreamsAreOrderedByTheirIDs() async throws {
        try await SensorThingsScene.with { scene in
            let names = ["tank", "tank-1-2", "Tank_3", "tank2"]
            for name in names {
                try await scene.gateway.link(name, to: scene.anna)
                try await scene.gateway.database.sql(
                    """
                    INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                    SELECT slot, 0, device_id, now() - interval '1 hour', now(), 8 FROM device WHERE hardware_id = '\(name)'
                    """)
            }
            let ids = (Self.streamsByID + names.map { "\($0):ph" }).sorted {
                Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8))
            }
            for (order, expected) in [("", ids), ("id", ids), ("id desc", ids.reversed())] {
                var query = [("$top", "2")]
                if !order.isEmpty { query.append(("$orderby", order)) }
                var found: [String?] = []
                for page in 0..<4 {
                    found += try await scene.list("Datastreams", query + [("$skip", "\(page * 2)")]).map {
                        $0["@iot.id"]?.string
                    }
                }
                #expect(found == expected, "\(order)")
            }
            let sensors = try await scene.list("Sensors", [("$orderby", "id desc")]).compactMap {
                $0["@iot.id"]?.integer
            }
            #expect(sensors.count == 6 && sensors == sensors.sorted(by: >))
            let one = try await scene.list("Datastreams", [("$filter", "id gt 'tank-1:ph' and id lt 'tank-1:z'")])
            #expect(one.map { $0["@iot.id"]?.string } == ["tank-1:temperature"])
        }
    }

    /// A Datastream of one Thing is none of another's.
    @Test func aDatastreamIsItsThings() async throws {
        try await SensorThingsScene.with { scene in
            try await scene.gateway.link("tank-2", to: scene.anna)
            let other = try #require(
                Int64(try await scene.gateway.ask("SELECT device_id FROM device WHERE hardware_id = 'tank-2'")))
            #expect(try await scene.ask("Things(\(scene.device))/Datastreams(\(scene.ph))").status == 200)
            #expect(try await scene.ask("Things(\(other))/Datastreams(\(scene.ph))").status == 404)
            for name in ["'tank-1:pH'", "'tank-1'", "'tank-1:ph:hand'", "'tank-1:ph:'", "'tank-3:ph'", "449"] {
                #expect(try await scene.ask("Datastreams(\(name))").status == 404, "\(name)")
            }
        }
    }

    @Test func observationsComeInTheOrderOfTheirTimes() async throws {
        try await SensorThingsScene.with { scene in
            let path = "Datastreams(\(scene.temperature))/Observations"
            let all = try await scene.list(path)
            #expect(all.map { $0["result"]?.number } == (20...29).map(Double.init))
            let newest = try await scene.list(path, [("$orderby", "phenomenonTime desc"), ("$top", "1")])
            #expect(newest == [all[9]])
            let id = try #require(all[3]["@iot.id"]?.string)
            let one = try await scene.ask("Observations('\(id)')")
            #expect(one.json == all[3])
            #expect(try await scene.ask("Observations('\(id)')/result/$value").text == "23.0")
            #expect(
                try await scene.ask("Observations('\(id)')/Datastream/Thing").json?["@iot.id"]?.integer == scene.device)
            #expect(
                try await scene.ask("Observations('\(id)')/FeatureOfInterest").json?["@iot.id"]?.integer == scene.device
            )
            // 8.3 is kept in 32 bits, and is 8.3.
            let acid = try await scene.list(
                "Datastreams(\(scene.ph))/Observations", [("$filter", "result eq 8.3"), ("$top", "1")])
            #expect(acid.first?["result"]?.number == 8.3)
            let byHand = try await scene.list("Datastreams(\(scene.nitrateByHand))/Observations")
            #expect(byHand.map { $0["result"]?.number } == [12.5])
            #expect(byHand[0]["phenomenonTime"]?.string == SensorThingsScene.first)
            #expect(try await scene.ask("Observations('\(byHand[0]["@iot.id"]?.string ?? "")')").json == byHand[0])
        }
    }

    @Test func filtersAreComputed() async throws {
        try await SensorThingsScene.with { scene in
            let path = "Datastreams(\(scene.temperature))/Observations"
            let all = try await scene.list(path)
            let time = try #require(all[5]["phenomenonTime"]?.string)
            let found: [(String, Int)] = [
                ("result gt 25", 4), ("result ge 25", 5), ("not result ge 25", 5), ("result mod 2 eq 0", 5),
                ("result div 0 eq 1", 0),
                ("phenomenonTime ge \(time)", 5), ("phenomenonTime lt \(time) and result ne 20", 4),
                ("\(time) eq resultTime", 1),
                ("result add 1 eq 21 or result sub 1 eq 28", 2), ("round(result mul 0.1) eq 2", 5),
                ("Datastream/id eq \(scene.temperature)", 10),
                ("year(phenomenonTime) gt 2000 and phenomenonTime lt now()", 10), ("Datastream/id eq \(scene.ph)", 0),
            ]
            for (filter, count) in found {
                let answer = try await scene.ask(path, [("$filter", filter), ("$count", "true")])
                #expect(answer.json?["value"]?.array?.count == count, "\(filter): \(answer.text)")
                #expect(answer.json?["@iot.count"]?.integer == Int64(count), "\(filter)")
            }
            let named = try await scene.list(
                "Observations", [("$filter", "Datastream/id eq \(scene.ph)"), ("$top", "3")])
            #expect(named.map { $0["result"]?.number } == [8.3, 8.3, 8.3])
            for (filter, count) in [
                ("startswith(Thing/name,'K')", 3), ("ObservedProperty/name eq 'pH'", 1),
                ("substringof('itra',name)", 1),
            ] {
                #expect(try await scene.list("Datastreams", [("$filter", filter)]).count == count, "\(filter)")
            }
            #expect(try await scene.list("Things", [("$filter", "name eq 'x'' OR ''1''=''1'")]).isEmpty)
        }
    }

    @Test func pagesMeet() async throws {
        try await SensorThingsScene.with { scene in
            for order in ["", "phenomenonTime desc", "result desc"] {
                let path = "Datastreams(\(scene.temperature))/Observations"
                let query = [("$top", "4"), ("$count", "true")] + (order.isEmpty ? [] : [("$orderby", order)])
                var reply = try await scene.ask(path, query)
                var results: [Double] = []
                for page in 1...3 {
                    let json = try #require(reply.json)
                    #expect(json["@iot.count"]?.integer == 10)
                    results += json["value"]?.array?.compactMap { $0["result"]?.number } ?? []
                    let next = json["@iot.nextLink"]?.string
                    #expect((next == nil) == (page == 3), "\(order) \(page)")
                    guard let next, let address = next.split(separator: "https://water.example").first else { break }
                    reply = try await scene.gateway.request(.GET, String(address), token: scene.token)
                }
                #expect(results == (order.isEmpty ? Array(20...29) : (20...29).reversed()).map(Double.init), "\(order)")
            }
            #expect(try await scene.ask("Datastreams", [("$top", "0")]).json == ["value": []])
        }
    }

    /// Whoever has few Datastreams gets the Observations of all in one list, and so does whoever asks about the water of one Thing.
    @Test func observationsOfSeveralDatastreamsComeByTime() async throws {
        try await SensorThingsScene.with { scene in
            let expected = [12.5] + (20...29).flatMap { [Double($0), 8.3] }
            for path in ["Observations", "FeaturesOfInterest(\(scene.device))/Observations"] {
                let all = try await scene.list(path)
                #expect(all.map { $0["result"]?.number } == expected, "\(path)")
                let page = try await scene.ask(
                    path, [("$top", "3"), ("$skip", "2"), ("$count", "true"), ("$orderby", "phenomenonTime desc")])
                #expect(page.json?["value"]?.array == Array(all.reversed()[2..<5]), "\(path)")
                #expect(page.json?["@iot.count"]?.integer == 21)
                #expect(page.json?["@iot.nextLink"]?.string?.hasSuffix("$skip=5&$count=true") == true, "\(page.text)")
            }
            let warm = try await scene.list("Observations", [("$filter", "result gt 28"), ("$expand", "Datastream")])
            #expect(warm.map { $0["Datastream"]?["@iot.id"]?.string } == ["tank-1:temperature"])
            #expect(
                try await scene.gateway.request(.GET, SensorThingsScene.address("Observations", []), scene.bob).json
                    == ["value": []])
        }
    }

    /// Far into the list of several Datastreams no more readings are held at once than an answer has room for: some Datastreams are read after others.
    @Test func farIntoTheListOfSeveralDatastreams() async throws {
        try await SensorThingsScene.with { scene in
            try await scene.gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature, ph, orp, conductivity, tds, turbidity)
                SELECT slot, 0, device_id, date_trunc('second', now()) - interval '2 hours' - n * interval '1 second', now(), n, 7, n, n, n, n
                FROM device, generate_series(1, 330) AS n
                """)
            let all = try await scene.list("Observations", [("$top", "1000")])
            let rest = try await scene.list("Observations", [("$top", "1000"), ("$skip", "1000")])
            #expect(all.count == 1_000 && rest.count == 1_000)
            let newest = try await scene.list(
                "Observations", [("$top", "500"), ("$skip", "1500"), ("$orderby", "phenomenonTime desc")])
            #expect(newest.count == 500)
            let times = (all + rest).compactMap { $0["phenomenonTime"]?.string }
            #expect(times == times.sorted())
            let names = (all + rest).compactMap { $0["@iot.id"]?.string }
            #expect(Set(names).count == 2_000)
            // 2,001 values: one by hand, twenty of ten minutes, and 1,980 before them.
            #expect(newest.compactMap { $0["@iot.id"]?.string } == names[1..<501].reversed())
        }
    }

    /// Readings are looked for day by day, over gaps too.
    @Test func pagesCrossDays() async throws {
        try await SensorThingsScene.with { scene in
            try await scene.gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now() - interval '5 days', now(), 11 FROM device;
                INSERT INTO rollup_due (slot, device_id, hour)
                SELECT slot, device_id, date_trunc('hour', now() - interval '5 days', 'UTC') FROM device
                """)
            let path = "Datastreams(\(scene.temperature))/Observations"
            let all = try await scene.list(path)
            #expect(all.map { $0["result"]?.number } == ([11] + Array(20...29)).map(Double.init))
            let newestFirst = try await scene.list(path, [("$orderby", "phenomenonTime desc")])
            #expect(newestFirst == all.reversed())
            let found = try await scene.list(path, [("$filter", "result lt 12"), ("$orderby", "phenomenonTime desc")])
            #expect(found == [all[0]])
        }
    }

    @Test func linksAreExpanded() async throws {
        try await SensorThingsScene.with { scene in
            let expand =
                "Locations,Datastreams($select=name,id;$expand=ObservedProperty,Observations($top=2;$orderby=phenomenonTime desc))"
            let thing = try #require(try await scene.list("Things", [("$expand", expand)]).first)
            #expect(thing["Locations"]?[0]?["location"]?["coordinates"] == [8.25, 47.5])
            let streams = try #require(thing["Datastreams"]?.array)
            #expect(streams.map { $0["ObservedProperty"]?["@iot.id"]?.integer } == [3, 1, 0])
            #expect(streams[2]["Observations"]?.array?.map { $0["result"]?.number } == [29, 28])
            #expect(streams[0]["Observations"]?.array?.map { $0["result"]?.number } == [12.5])
            #expect(streams[0]["unitOfMeasurement"] == nil && streams[0]["Sensor@iot.navigationLink"] == nil)
            let next = try #require(streams[2]["Observations@iot.nextLink"]?.string)
            let rest = try await scene.gateway.request(
                .GET, String(next.dropFirst("https://water.example".count)), token: scene.token)
            #expect(rest.json?["value"]?.array?.map { $0["result"]?.number } == [27, 26])
            let observation = try await scene.list(
                "Datastreams(\(scene.temperature))/Observations",
                [("$top", "3"), ("$expand", "Datastream($expand=Thing),FeatureOfInterest")])
            #expect(observation.allSatisfy { $0["Datastream"]?["Thing"]?["@iot.id"]?.integer == scene.device })
        }
    }

    @Test func placesAreKept() async throws {
        try await SensorThingsScene.with { scene in
            let now = try await scene.list("Things(\(scene.device))/Locations")
            #expect(now.map { $0["location"]?["coordinates"] } == [[8.25, 47.5]])
            let history = try await scene.list(
                "Things(\(scene.device))/HistoricalLocations", [("$expand", "Locations")])
            #expect(history.last?["Locations"]?[0] == now[0])
            for (box, count) in [("8 47,9 47,9 48,8 48,8 47", 1), ("9 47,10 47,10 48,9 48,9 47", 0)] {
                let filter = "st_within(feature,geography'POLYGON((\(box)))')"
                #expect(try await scene.list("FeaturesOfInterest", [("$filter", filter)]).count == count)
            }
        }
    }

    @Test func faultsSayWhatIsMeant() async throws {
        try await SensorThingsScene.with { scene in
            let cases: [(String, [(String, String)], Int, String?)] = [
                ("Things", [("$filter", "nothing eq 1")], 400, "unknown-property"),
                ("Things", [("$level", "1")], 400, "unknown-option"),
                ("Observations", [("$orderby", "result")], 400, "datastream-needed"),
                ("Observations", [("$skip", "2000")], 400, "datastream-needed"),
                ("Things", [("$filter", "geo.length(name) gt 1")], 501, "unsupported-function"),
                ("Things", [("$resultFormat", "dataArray")], 501, "unsupported-option"),
                ("Things(1)/Nothing", [], 404, nil), ("Things(999999)", [], 404, nil), ("Nothing", [], 404, nil),
                ("Observations('1-1')", [], 404, nil),
                ("Observations('\(scene.device * 64)-9223372036854775806')", [], 404, nil),
                ("Datastreams(\(scene.temperature))/Observations", [("$skiptoken", "\(Int64.max - 1)")], 400, "token"),
                ("Datastreams(\(scene.temperature))/Observations", [("$skiptoken", "x")], 400, "token"),
                (
                    "Datastreams(\(scene.temperature))/Observations", [("$filter", "result mul 1e308 mul 1e308 gt 1")],
                    400, "not-computable"
                ),
            ]
            for (path, query, status, reason) in cases {
                let reply = try await scene.ask(path, query)
                #expect(reply.status == status, "\(path) \(query): \(reply.text)")
                #expect(reply.json?["reason"]?.string == reason, "\(path) \(query)")
            }
            let refused = try await scene.gateway.request(
                .POST, SensorThingsScene.address("Things", []), token: scene.token, json: [:])
            #expect(refused.status == 405)
        }
    }

    /// Whoever has nothing sees nothing of another's, by whatever path; whoever is nobody is asked who they are.
    @Test func whatIsNotYoursIsNotThere() async throws {
        try await SensorThingsScene.with { scene in
            let observation = try #require(
                try await scene.list("Datastreams(\(scene.temperature))/Observations").first?["@iot.id"]?.string)
            let location = try #require(try await scene.list("Locations").first?["@iot.id"]?.string)
            for path in [
                "Things(\(scene.device))", "Things(\(scene.device))/Datastreams",
                "Datastreams(\(scene.temperature))/Observations",
                "Datastreams(\(scene.nitrateByHand))/Observations", "Observations('\(observation)')",
                "Locations('\(location)')",
                "HistoricalLocations('\(location)')", "FeaturesOfInterest(\(scene.device))",
                "Sensors(\(scene.device * 2))",
            ] {
                #expect(
                    try await scene.gateway.request(.GET, SensorThingsScene.address(path, []), scene.bob).status == 404,
                    "\(path)")
                #expect(try await scene.ask(path).status == 200, "\(path)")
                #expect(
                    try await scene.gateway.request(.GET, SensorThingsScene.address(path, [])).status == 401, "\(path)")
            }
            for set in EntitySet.allCases where set != .observations && set != .observedProperties {
                let reply = try await scene.gateway.request(
                    .GET, SensorThingsScene.address(set.rawValue, []), scene.bob)
                #expect(reply.json?["value"]?.array?.isEmpty == true, "\(set)")
            }
            let filtered = SensorThingsScene.address(
                "Observations", [("$filter", "Datastream/id eq \(scene.temperature)")])
            #expect(try await scene.gateway.request(.GET, filtered, scene.bob).json?["value"] == [])
        }
    }

    /// A filter that fails for a reading would tell of it: a product is beyond all numbers from some value on.
    @Test func filtersAreNotComputedForReadingsThatAreAnothers() async throws {
        try await SensorThingsScene.with { scene in
            try await scene.gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, min(event_time) - interval '10 minutes', now(), 40 FROM sample GROUP BY slot, device_id
                """)
            let filter = "Datastream/id eq \(scene.temperature) and result mul 6e306 gt 1"
            let orders = ["phenomenonTime", "phenomenonTime desc", "result", "result desc"]
            let own = try await scene.ask("Observations", [("$filter", filter)])
            #expect(own.json?["reason"]?.string == "not-computable", "40 is too much: \(own.text)")
            try await scene.gateway.database.sql(
                "UPDATE ownership SET readings_from = (SELECT min(event_time) FROM sample WHERE temperature < 40)")
            for order in orders {
                let reply = try await scene.ask(
                    "Observations", [("$filter", filter), ("$orderby", order), ("$count", "true")])
                #expect(reply.json?["value"]?.array?.count == 10, "\(order): \(reply.text)")
                #expect(reply.json?["@iot.count"]?.integer == 10, "\(order)")
            }
        }
    }

    @Test func filtersAreNotComputedForDevicesThatAreAnothers() async throws {
        try await SensorThingsScene.with { scene in
            try await scene.gateway.database.sql(
                """
                INSERT INTO device (slot, hardware_id, claim_code_hash) SELECT slot, 'a-much-longer-name-of-another', sha256('x'::bytea) FROM device;
                ANALYZE device, ownership -- tables so small are read whole
                """)
            for set in ["Things", "Datastreams"] {
                let name = set == "Things" ? "properties/hardwareId" : "Thing/properties/hardwareId"
                let reply = try await scene.ask(
                    set, [("$filter", "length(\(name)) mul 1e307 gt 1"), ("$count", "true")])
                #expect(reply.json?["value"]?.array?.count == (set == "Things" ? 1 : 3), "\(reply.text)")
            }
        }
    }

    /// A watcher sees readings since they joined, and not where its owner says that the device is.
    @Test func aWatcherSeesTheirOwnPart() async throws {
        try await SensorThingsScene.with { scene in
            try await scene.gateway.link("tank-1", to: scene.bob, role: "watcher")
            let path = "Datastreams(\(scene.temperature))/Observations"
            let token = try await scene.gateway.personalToken(scene.bob, scope: "read")
            func ask(_ path: String) async throws -> GatewayUnderTest.Reply {
                try await scene.gateway.request(.GET, SensorThingsScene.address(path, []), token: token)
            }
            #expect(try await ask("Things").json?["value"]?.array?.count == 1)
            #expect(try await ask(path).status == 404, "nothing was measured since")
            #expect(try await ask("Locations").json?["value"] == [])
        }
    }
}
