import Instants
import NIOHTTP1
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Last values, series and tables over HTTP.
@Suite(.timeLimit(.minutes(10))) struct ReadingRoutesTests {
    /// Anna's tank with a message a minute for ten minutes, the last of them an hour ago: 20 to 29 °C.
    private static func with(
        _ body:
            @Sendable @escaping (GatewayUnderTest, GatewayUnderTest.Person, GatewayUnderTest.Person) async throws ->
            Void
    ) async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, bob) = (
                try await gateway.person("anna@example.com"), try await gateway.person("bob@example.com")
            )
            try await gateway.link("tank-1", to: anna)
            try await gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now() - interval '1 hour' - (9 - n) * interval '1 minute', now(), 20 + n
                FROM device, generate_series(0, 9) AS n;
                UPDATE rollup_progress
                SET hours_since = hours_since - interval '1 day', hours_until = hours_until - interval '1 day';
                UPDATE setting SET unit = 'F', valid_from = now() - interval '1 day' WHERE parameter = 0
                """)
            try await body(gateway, anna, bob)
        }
    }

    @Test func lastValuesAreInThePersonsUnit() async throws {
        try await Self.with { gateway, anna, bob in
            for path in ["/api/v1/readings/latest", "/api/v1/devices/tank-1/readings/latest"] {
                let reply = try await gateway.request(.GET, path, anna)
                #expect(reply.status == 200)
                #expect(reply.json?.array?.count == 1)
                let last = try #require(reply.json?[0])
                #expect(last["device"]?.string == "tank-1")
                #expect(last["parameter"]?.string == "temperature")
                #expect(last["value"]?.number == 84.2)
                #expect(last["unit"]?.string == "F")
                #expect(last["canonicalValue"]?.number == 29)
                #expect(last["minimum"]?.number == 53.6)
                #expect(last["maximum"]?.number == 75.2)
                #expect(last["state"]?.string == "inRange")
                #expect(last["stale"]?.bool == true)
            }
            #expect(try await gateway.request(.GET, "/api/v1/readings/latest", bob).json == [])
        }
    }

    /// No formula gives a specific gravity for a brine of 45 ppt.
    @Test func whatAUnitHasNoValueForIsNotMadeUp() async throws {
        try await Self.with { gateway, anna, _ in
            try await gateway.database.sql(
                """
                UPDATE sample SET salinity = CASE WHEN temperature = 25 THEN 45 ELSE 35 END;
                INSERT INTO setting (
                    slot, parameter, device_id, account_id, version, unit, maximum, colour, position, valid_from)
                SELECT slot, 8, device_id, account_id, 1, 'SG', 70, 'gray', 8, valid_from FROM setting
                """)
            let latest = try await gateway.request(.GET, "/api/v1/readings/latest", anna)
            let last = try #require(latest.json?.array?.first { $0["parameter"]?.string == "salinity" })
            #expect(last["value"]?.number == 1.0264 && last["unit"]?.string == "SG")
            #expect(last["maximum"]?.number == 1.0053 && last["canonicalValue"]?.number == 35)
            let path = "/api/v1/devices/tank-1/parameters/salinity/series"
            let series = try #require(try await gateway.request(.GET, path, anna).json)
            #expect(series["unit"]?.string == "SG" && series["points"]?.array?.count == 9)
            #expect(series["points"]?.array?.allSatisfy { $0["mean"]?.number == 1.0264 } == true)
            #expect(series["statistics"]?["maximum"] == .null && series["statistics"]?["minimum"]?.number == 1.0264)
            let table = try await gateway.request(.GET, "/api/v1/devices/tank-1/readings.csv", anna)
            #expect(
                table.text.contains("salinity (SG)")
                    && table.text.contains(",1.0264\(commas(Parameter.allCases.count - 8))1,,,,,,,,"))
            #expect(table.text.contains("Z,77.0\(commas(Parameter.allCases.count))1,,,,,,,,"))
            try await gateway.database.sql("UPDATE sample SET salinity = 45")
            let brine = try await gateway.request(.GET, "/api/v1/readings/latest", anna)
            let told = try #require(brine.json?.array?.first { $0["parameter"]?.string == "salinity" })
            #expect(told["value"]?.number == 45 && told["unit"]?.string == "ppt" && told["maximum"]?.number == 7)
        }
    }

    @Test func aSeriesHasItsExtremesAndFigures() async throws {
        try await Self.with { gateway, anna, _ in
            let path = "/api/v1/devices/tank-1/parameters/temperature/series"
            let all = try #require(try await gateway.request(.GET, path, anna).json)
            #expect(all["resolution"]?.string == "message")
            #expect(all["step"]?.integer == 0)
            #expect(all["points"]?.array?.count == 10)
            #expect(all["points"]?[0]?["mean"]?.number == 68)
            let figures = try #require(all["statistics"])
            #expect(figures["count"]?.integer == 10)
            // Each value holds for a minute, the last for six: three times the two minutes from one pair's first to the
            // next pair's.
            #expect(figures["mean"]?.number == 78.8)
            #expect(figures["minimum"]?.number == 68)
            #expect(figures["maximum"]?.number == 84.2)
            // 25 to 29 °C are above 24: 4 x 60 s + 360 s.
            #expect(figures["secondsOutOfRange"]?.integer == 600)
            let few = try #require(try await gateway.request(.GET, path + "?points=1", anna).json)
            #expect(few["points"]?.array?.count == 1)
            #expect(few["points"]?[0]?["minimum"]?.number == 68)
            #expect(few["points"]?[0]?["maximum"]?.number == 84.2)
            #expect(few["statistics"] == all["statistics"])
            // The value rises all the time.
            let (first, last) = (all["points"]?[0]?["time"]?.string, all["points"]?[9]?["time"]?.string)
            for summary in [few["points"]?[0], figures] {
                #expect(summary?["minimumTime"]?.string == first && summary?["maximumTime"]?.string == last)
                #expect(summary?["count"]?.integer == 10)
            }
        }
    }

    /// A device whose clock is known to be an hour behind counts as fresh, and its times are shown corrected.
    @Test func timesAreCorrectedByTheLagOfTheClock() async throws {
        try await Self.with { gateway, anna, _ in
            try await gateway.database.sql(
                """
                INSERT INTO device_clock (slot, device_id, lag_seconds) SELECT slot, device_id, 3600 FROM device;
                INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at)
                    SELECT slot, device_id, 0, account_id, 1, 'range', 'high', now() - interval '64 minutes', now() FROM ownership;
                INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, side, opened_at,
                    event_time, received_at, state, value, limit_value)
                    SELECT slot, device_id, 0, account_id, 1, 1, 'range', 'alarm', 'high', now() - interval '64 minutes',
                        now() - interval '64 minutes', now() - interval '4 minutes', 'delivered', 25, 24 FROM ownership;
                INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, side, opened_at,
                    event_time, received_at, state, value, limit_value)
                    SELECT slot, device_id, 0, account_id, 2, 1, 'range', 'reminder', 'high', now() - interval '64 minutes',
                        now() - interval '3 minutes', now() - interval '3 minutes', 'delivered', 25, 24 FROM ownership
                """)
            func age(_ time: String?) throws -> Double {
                let time = try #require(time.flatMap { Timestamp($0) })
                return (WallClock.system.now() - time) / .seconds(1)
            }
            let last = try #require(try await gateway.request(.GET, "/api/v1/readings/latest", anna).json?[0])
            #expect(last["stale"]?.bool == false)
            #expect(try age(last["time"]?.string) < 60)
            #expect(abs(try age(last["since"]?.string) - 240) < 60)
            let device = try #require(try await gateway.request(.GET, "/api/v1/devices/tank-1", anna).json)
            #expect(try age(device["lastReadingAt"]?.string) < 60)
            let path = "/api/v1/devices/tank-1/parameters/temperature/"
            let from = (WallClock.system.now() - .seconds(1_800)).iso8601
            let series = try #require(try await gateway.request(.GET, path + "series?from=\(from)", anna).json)
            #expect(series["points"]?.array?.count == 10)
            #expect(try age(series["points"]?[9]?["time"]?.string) < 60)
            #expect(try age(series["statistics"]?["maximumTime"]?.string) < 60)
            let why = try #require(try await gateway.request(.GET, path + "why?from=\(from)", anna).json)
            #expect(why["readings"]?.integer == 10 && why["from"]?.string == from)
            let alerts = try #require(try await gateway.request(.GET, "/api/v1/alerts", anna).json?["items"]?.array)
            let alarm = try #require(alerts.first { $0["purpose"]?.string == "alarm" })
            for time in ["since", "eventTime"] { #expect(abs(try age(alarm[time]?.string) - 240) < 60, "\(time)") }
            let reminder = try #require(alerts.first { $0["purpose"]?.string == "reminder" })
            #expect(abs(try age(reminder["eventTime"]?.string) - 180) < 60, "made while the clock was right")
        }
    }

    @Test func aPointTellsWhatWasFoundOfItsValues() async throws {
        try await Self.with { gateway, anna, _ in
            try await gateway.database.sql(
                "UPDATE sample SET temperature = CASE temperature WHEN 25 THEN 39 ELSE 18 + temperature / 10 END")
            let path = "/api/v1/devices/tank-1/parameters/temperature/series"
            let points = try #require(try await gateway.request(.GET, path, anna).json?["points"]?.array)
            #expect(points.map { $0["quality"]?.integer } == [1, 1, 1, 1, 1, 4, 1, 1, 1, 1])
            #expect(points[5]["finding"]?.string == "spike" && points[4]["finding"] == .null)
            #expect(points[5]["mean"]?.number == 102.2, "it is shown all the same")
            #expect(points.map { $0["flagged"]?.integer } == [0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
            let table = try await gateway.request(.GET, "/api/v1/devices/tank-1/readings.csv", anna).text
            let codes = table.split(separator: "\r\n").dropFirst().map {
                $0.split(separator: ",", omittingEmptySubsequences: false)[Parameter.allCases.count + 1]
            }
            #expect(codes == ["1", "1", "1", "1", "1", "4", "1", "1", "1", "1"])
        }
    }

    @Test func aTableIsCSV() async throws {
        try await Self.with { gateway, anna, _ in
            let reply = try await gateway.request(.GET, "/api/v1/devices/tank-1/readings.csv", anna)
            #expect(reply.status == 200)
            #expect(reply[header: "Content-Type"] == "text/csv; charset=utf-8; header=present")
            let lines = reply.text.split(separator: "\r\n", omittingEmptySubsequences: false)
            try #require(lines.count == 12)
            let header = Parameter.allCases.dropFirst(2).map { "\($0.name)_qc" }
            #expect(lines.first?.hasPrefix("time,temperature (F),ph,") == true)
            #expect(
                lines.first?.hasSuffix(",temperature_qc,ph_qc," + header.joined(separator: ",") + ",approved,work")
                    == true)
            #expect(
                lines[1].hasSuffix("Z,68.0\(commas(Parameter.allCases.count))1\(commas(Parameter.allCases.count + 1))"))
            #expect(lines.last == "")
        }
    }

    @Test(arguments: [
        "/readings/latest", "/parameters/temperature/series", "/readings.csv",
    ]) func whatIsNotYoursIsNotThere(_ path: String) async throws {
        try await Self.with { gateway, anna, bob in
            let others = try await gateway.request(.GET, "/api/v1/devices/tank-1" + path, bob)
            #expect(others.status == 404)
            let nobodys = try await gateway.request(.GET, "/api/v1/devices/tank-9" + path, anna)
            #expect(nobodys.status == 404)
            let strangers = try await gateway.request(.GET, "/api/v1/devices/tank-1" + path)
            #expect(strangers.status == 401)
        }
    }

    @Test(arguments: [
        "points=0", "points=2001", "from=yesterday", "from=2026-05-02T00:00:00Z&until=2026-05-01T00:00:00Z",
    ]) func whatMakesNoSenseIsRefused(_ query: String) async throws {
        try await Self.with { gateway, anna, _ in
            let reply = try await gateway.request(
                .GET, "/api/v1/devices/tank-1/parameters/temperature/series?" + query, anna)
            #expect(reply.status == 422)
            #expect(
                reply.json?["errors"]?[0]?["parameter"]?.string == query.split(separator: "=").first.map(String.init))
        }
    }
}

private func commas(_ count: Int) -> String { String(repeating: ",", count: count) }
