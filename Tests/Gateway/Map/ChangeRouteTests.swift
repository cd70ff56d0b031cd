import NIOHTTP1
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// The map of change, by roll-ups and by hand: Anna has a weir, a lake and a shore without a probe; Eve has a device in the same place.
@Suite(.timeLimit(.minutes(5))) struct ChangeRouteTests {
    typealias Reply = GatewayUnderTest.Reply
    typealias Person = GatewayUnderTest.Person

    private static let path = "/api/v1/map/change?parameter=temperature"

    fileprivate struct Scene: Sendable {
        let gateway: GatewayUnderTest
        let anna: Person
        let eve: Person

        func change(_ query: String = "", as person: Person? = nil, headers: HTTPHeaders = [:]) async throws -> Reply {
            try await gateway.request(.GET, ChangeRouteTests.path + query, person ?? anna, headers: headers)
        }

        func point(_ device: String, _ reply: Reply) throws -> JSON {
            let points = try #require(reply.json?["points"]?.array, "\(reply.text)")
            return try #require(points.first { $0["device"]?.string == device }, "\(reply.text)")
        }
    }

    /// The weir was 20 degrees a week ago and is 22.5; the lake was and is 15 degrees in the means of its hours, with a daily wave. All hours of the last nine
    /// days are rolled up.
    private static func with(_ body: @Sendable @escaping (Scene) async throws -> Void) async throws {
        try await GatewayUnderTest.with { gateway in
            let scene = Scene(
                gateway: gateway, anna: try await gateway.person("anna@example.com"),
                eve: try await gateway.person("eve@example.com"))
            for device in ["weir-1", "lake-1", "shore-1"] { try await gateway.link(device, to: scene.anna) }
            try await gateway.link("foreign-1", to: scene.eve)
            try await gateway.database.sql(
                """
                UPDATE ownership SET readings_from = '-infinity', latitude = 48.2, longitude = 16.3;
                UPDATE ownership o SET latitude = 48.4, longitude = 16.5, name = 'Lake' FROM device d
                WHERE d.device_id = o.device_id AND d.hardware_id = 'lake-1';
                SELECT make_past_hour_partitions(((now() - interval '12 days') AT TIME ZONE 'UTC')::date, (now() AT TIME ZONE 'UTC')::date);
                INSERT INTO sample_hour (slot, device_id, starts_at, temperature_sum, temperature_min, temperature_max, temperature_count, temperature_flagged)
                SELECT slot, device_id, hour, mean * 100, mean, mean, 100, CASE WHEN d.hardware_id = 'weir-1' THEN 10 * 8 + 1 END
                FROM device d
                CROSS JOIN LATERAL (SELECT date_trunc('hour', now()) - n * interval '1 hour' AS hour FROM generate_series(1, 216) n) h
                CROSS JOIN LATERAL (SELECT CASE d.hardware_id
                    WHEN 'weir-1' THEN CASE WHEN hour < now() - interval '4 days' THEN 20 ELSE 22.5 END
                    ELSE 15 + 4 * sin(extract(hour FROM hour AT TIME ZONE 'UTC') / 24 * 2 * pi()) END AS mean) m
                WHERE d.hardware_id IN ('weir-1', 'lake-1', 'foreign-1')
                """)
            try await body(scene)
        }
    }

    @Test func `each place says by how much it changed, and how that is known`() async throws {
        try await Self.with { scene in
            let reply = try await scene.change()
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply.json?["unit"]?.string == "C" && reply.json?["part"]?.string == "hour")
            #expect(reply.json?["bounds"] == [1.0, 2.0, 5.0] && reply.json?["cut"] == false, "\(reply.text)")
            #expect(reply.json?["points"]?.array?.count == 3, "\(reply.text)")
            let weir = try scene.point("weir-1", reply)
            #expect(weir["before"]?.number == 20 && weir["after"]?.number == 22.5 && weir["change"]?.number == 2.5)
            #expect(weir["class"] == 2 && weir["byHand"] == false && weir["readings"] == 4_800, "\(weir)")
            #expect(weir["flagged"]?.number == 0.1)
            let lake = try scene.point("lake-1", reply)
            #expect(lake["class"] == 0 && lake["change"]?.number == 0 && lake["name"]?.string == "Lake", "\(lake)")
            let shore = try scene.point("shore-1", reply)
            #expect(shore["change"] == .null && shore["class"] == .null && shore["readings"] == 0, "\(shore)")
        }
    }

    @Test func `every parameter has roll-ups to compare, of hours and of days`() async throws {
        try await Self.with { scene in
            for parameter in Parameter.allCases {
                for span in [24, 72] {
                    let reply = try await scene.gateway.request(
                        .GET, "/api/v1/map/change?parameter=\(parameter.name)&span=\(span)", scene.anna)
                    #expect(reply.status == 200 && reply.json?["points"]?.array?.count == 3, "\(reply.text)")
                }
            }
        }
    }

    @Test func `long windows are made of days`() async throws {
        try await Self.with { scene in
            try await scene.gateway.database.sql(
                """
                INSERT INTO sample_day (slot, device_id, starts_at, temperature_sum, temperature_min, temperature_max, temperature_count)
                SELECT slot, device_id, date_trunc('day', now(), 'UTC') - n * interval '1 day', CASE WHEN n > 3 THEN 2400 ELSE 1800 END, 18, 24, 100
                FROM device, generate_series(1, 12) n WHERE hardware_id = 'weir-1'
                """)
            let reply = try await scene.change("&span=72")
            #expect(reply.json?["part"]?.string == "day")
            let weir = try scene.point("weir-1", reply)
            #expect(weir["before"]?.number == 24 && weir["after"]?.number == 18 && weir["class"] == -3, "\(weir)")
        }
    }

    /// A probe that is there is believed, and one value by hand stands for each moment where there is none.
    @Test func `values by hand are compared where no probe is`() async throws {
        try await Self.with { scene in
            try await scene.gateway.database.sql(
                """
                INSERT INTO hand_test (slot, device_id, tank_id, test_id, account_id, at)
                SELECT o.slot, o.device_id, o.tank_id, gen_random_uuid(), o.account_id, now() - age * interval '1 day'
                FROM ownership o, unnest(ARRAY[0.5, 2, 8, 12]) AS age WHERE o.account_id = \(scene.anna.account);
                INSERT INTO hand_value (slot, parameter, device_id, tank_id, test_id, at, value, read, unit)
                SELECT slot, 0, device_id, tank_id, test_id, at, CASE WHEN at > now() - interval '1 day' THEN 12 WHEN at > now() - interval '3 days' THEN 30
                    WHEN at > now() - interval '9 days' THEN 9 ELSE 30 END, 0, 'C' FROM hand_test
                """)
            let reply = try await scene.change()
            let shore = try scene.point("shore-1", reply)
            #expect(shore["byHand"] == true && shore["readings"] == 0, "\(shore)")
            #expect(shore["before"]?.number == 9 && shore["after"]?.number == 12 && shore["class"] == 2, "\(shore)")
            #expect(try scene.point("weir-1", reply)["byHand"] == false)
            // Four days ago there is none that is young enough.
            let day = try await scene.gateway.request(
                .GET, Self.path + "&span=1&from=\(try await scene.time("4 days"))", scene.anna)
            #expect(try scene.point("shore-1", day)["change"] == .null, "\(day.text)")
        }
    }

    @Test func `an area has the places in it, on both sides of the meridian where longitudes begin`() async throws {
        try await Self.with { scene in
            func names(_ box: String) async throws -> [String] {
                let reply = try await scene.change("&bbox=\(box)")
                return (reply.json?["points"]?.array ?? []).compactMap { $0["device"]?.string }.sorted()
            }
            #expect(try await names("16.4,48.3,16.6,48.5") == ["lake-1"])
            #expect(try await names("16.2,48.1,16.6,48.5") == ["lake-1", "shore-1", "weir-1"])
            #expect(try await names("170,-90,-170,90") == [])
            #expect(try await names("16.4,-90,16.35,90") == ["lake-1", "shore-1", "weir-1"])
            try await scene.gateway.database.sql(
                "UPDATE ownership o SET longitude = -179 FROM device d WHERE d.device_id = o.device_id AND d.hardware_id = 'lake-1'"
            )
            #expect(try await names("170,-90,-170,90") == ["lake-1"])
        }
    }

    @Test func `values are told in the unit that was asked for`() async throws {
        try await Self.with { scene in
            let reply = try await scene.change("&unit=F")
            #expect(reply.json?["unit"]?.string == "F" && reply.json?["bounds"] == [1.8, 3.6, 9.0], "\(reply.text)")
            let weir = try scene.point("weir-1", reply)
            #expect(weir["before"]?.number == 68 && weir["after"]?.number == 72.5 && weir["change"]?.number == 4.5)
            #expect(try await scene.change("&unit=ppm").status == 422)
            let curved = try await scene.gateway.request(
                .GET, "/api/v1/map/change?parameter=salinity&unit=SG", scene.anna)
            #expect(curved.status == 422, "\(curved.text)")
        }
    }

    @Test func `windows that are none are refused`() async throws {
        try await Self.with { scene in
            let (soon, before) = (try await scene.time("1 hour"), try await scene.time("30 hours"))
            for (query, code) in [
                ("&from=\(soon)&span=24", "windows-overlap"), ("&from=\(soon)&to=\(before)", "period-empty"),
                ("&span=745", "too-large"), ("&span=0", "too-small"), ("&bbox=1,2,3", "too-few"),
                ("&bbox=0,50,10,40", "not-an-area"), ("&bbox=0,-91,10,40", "not-an-area"),
                ("&bbox=0,0,181,1", "too-large"),
            ] {
                let refused = try await scene.change(query)
                #expect(refused.status == 422 && refused.text.contains(code), "\(query): \(refused.text)")
            }
        }
    }

    /// Nobody sees another's places or readings, nor those of a time when the device was not theirs.
    @Test func `a person sees what is theirs`() async throws {
        try await Self.with { scene in
            let eves = try await scene.change(as: scene.eve)
            #expect(eves.json?["points"]?.array?.count == 1 && !eves.text.contains("weir-1"), "\(eves.text)")
            try await scene.gateway.database.sql("UPDATE ownership SET readings_from = now() - interval '3 days'")
            let weir = try scene.point("weir-1", try await scene.change())
            #expect(weir["change"] == .null && weir["readings"] == 2_400, "\(weir)")
            try await scene.gateway.database.sql("UPDATE ownership SET latitude = NULL, longitude = NULL")
            #expect(try await scene.change().json?["points"] == [])
        }
    }
}

extension ChangeRouteTests.Scene {
    /// A moment so long ago, for a query.
    fileprivate func time(_ ago: String) async throws -> String {
        try await gateway.ask(
            "SELECT to_char((now() - interval '\(ago)') AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')")
    }
}
