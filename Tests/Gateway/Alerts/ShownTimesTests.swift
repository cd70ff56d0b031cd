import Instants
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// The displayed times of a device whose clock is two hours behind.
@Suite(.timeLimit(.minutes(10))) struct ShownTimesTests {
    private static func age(_ time: JSON?) throws -> Double {
        let time = try #require(time?.string.flatMap { Timestamp($0) })
        return (WallClock.system.now() - time) / .seconds(1)
    }

    /// Episodes began ten minutes ago, alarms are two minutes old, all-clears six; everything was decided just now. A
    /// list and an open screen show the same times.
    @Test(arguments: ["range", "fault", "rate", "ahead", "silence"]) func alertsAreOfTheirTrueTime(
        kind: String
    ) async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await gateway.link("tank-1", to: anna)
            let lag = kind == "silence" ? "interval '0'" : "interval '7200 s'"
            try await gateway.database.sql(
                """
                INSERT INTO device_clock (slot, device_id, lag_seconds) SELECT slot, device_id, 7200 FROM device;
                INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at)
                    SELECT slot, device_id, 0, account_id, 1, '\(kind)', CASE '\(kind)' WHEN 'range' THEN 'high' END,
                        now() - interval '10 minutes' - \(lag), now() - \(lag) FROM ownership;
                INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, ended, side, opened_at,
                    event_time, received_at, state, value, limit_value, change, change_seconds, heading, expected_at)
                SELECT slot, device_id, 0, account_id, n, 1, '\(kind)', purpose, n = 4, CASE '\(kind)' WHEN 'range' THEN 'high' END,
                    now() - interval '10 minutes' - \(lag),
                    now() - CASE WHEN n = 4 THEN interval '0' ELSE ago * interval '1 minute' + \(lag) END,
                    CASE WHEN '\(kind)' = 'range' AND n < 3 THEN now() - ago * interval '1 minute' END, 'delivered', 25, 24,
                    CASE '\(kind)' WHEN 'rate' THEN 3 END, CASE '\(kind)' WHEN 'rate' THEN 600 END,
                    CASE '\(kind)' WHEN 'ahead' THEN 'high' END,
                    CASE '\(kind)' WHEN 'ahead' THEN now() + interval '30 minutes' END
                FROM ownership, (VALUES (1, 'alarm', 2), (2, 'reminder', 2), (3, 'recovery', 6), (4, 'reminder', 0))
                    AS v (n, purpose, ago)
                """)
            let alerts = try #require(try await gateway.request(.GET, "/api/v1/alerts", anna).json?["items"]?.array)
            for (purpose, minutes) in [("alarm", 2.0), ("reminder", 2), ("recovery", 6), ("ended", 0)] {
                let alert = try #require(alerts.first { $0["purpose"]?.string == purpose })
                #expect(abs(try Self.age(alert["eventTime"]) - minutes * 60) < 60, "\(purpose)")
                #expect(abs(try Self.age(alert["since"]) - 600) < 60, "\(purpose)")
                guard kind == "ahead", purpose == "alarm" else { continue }
                #expect(abs(try Self.age(alert["outlook"]?["expectedAt"]) + 1_800) < 60)
            }
            try await EventStream.with(gateway, anna) { stream in
                for alert in alerts {
                    let told = try await stream.event("an alert") {
                        $0.name == "alert" && $0.data["alert"] == alert["id"]
                    }
                    #expect(told.data["time"] == alert["eventTime"] && told.data["purpose"] == alert["purpose"])
                }
            }
        }
    }

    /// Times from when the clock was right are not corrected by its later lag.
    @Test func whatARightClockMadeIsShownAsItIs() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await gateway.link("tank-1", to: anna)
            try await gateway.database.sql(
                """
                INSERT INTO device_clock (slot, device_id, lag_seconds) SELECT slot, device_id, 7200 FROM device;
                INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, opened_at, last_at)
                    SELECT slot, device_id, 0, account_id, 1, 'fault', now() - interval '10 minutes', now() FROM ownership;
                INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, opened_at, event_time,
                    state)
                SELECT slot, device_id, 0, account_id, n, 1, 'fault', purpose, now() - interval '10 minutes',
                    now() - ago * interval '1 minute', 'delivered'
                FROM ownership, (VALUES (1, 'alarm', 2), (2, 'recovery', 6)) AS v (n, purpose, ago)
                """)
            let alerts = try #require(try await gateway.request(.GET, "/api/v1/alerts", anna).json?["items"]?.array)
            for (purpose, minutes) in [("alarm", 2.0), ("recovery", 6)] {
                let alert = try #require(alerts.first { $0["purpose"]?.string == purpose })
                #expect(abs(try Self.age(alert["eventTime"]) - minutes * 60) < 60, "\(purpose)")
                #expect(abs(try Self.age(alert["since"]) - 600) < 60, "\(purpose)")
            }
        }
    }

    /// Hours ago the clock was right: a request for that time explains it, not the time two hours before.
    @Test func aPastWithARightClockIsExplainedAsAskedFor() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await gateway.link("tank-1", to: anna)
            try await gateway.database.sql(
                """
                INSERT INTO device_clock (slot, device_id, lag_seconds) SELECT slot, device_id, 7200 FROM device;
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, taken, taken + interval '1 s', CASE WHEN n < 90 THEN 20 ELSE 21 END
                FROM device, generate_series(0, 179) AS n,
                    LATERAL (SELECT now() - interval '6 hours' + n * interval '1 minute' AS taken) AS t;
                UPDATE setting SET valid_from = now() - interval '1 day'
                """)
            let now = WallClock.system.now()
            let (from, until) = ((now - .seconds(14_430)).iso8601, (now - .seconds(12_630)).iso8601)
            let why = try #require(
                try await gateway.request(
                    .GET, "/api/v1/devices/tank-1/parameters/temperature/why?from=\(from)&until=\(until)", anna
                ).json)
            #expect(why["from"]?.string == from && why["until"]?.string == until)
            #expect(why["readings"]?.integer == 30)
            let told = try #require(why["steps"]?.array?.first { $0["what"]?.string == "inRange" })
            let age = try Self.age(told["time"])
            #expect(told["least"]?.number == 21 && abs(age - 14_400) < 90, "\(why)")
        }
    }

    /// A person who has just joined sees what is measured now, whatever time the device states.
    @Test func whoJoinedLatelyHearsOfWhatIsMeasuredNow() async throws {
        let swept = GatewayUnderTest.adjusting { $0.settings.liveRound = 1 }
        try await GatewayUnderTest.with(swept) { gateway in
            let (anna, bob) = (
                try await gateway.person("anna@example.com"), try await gateway.person("bob@example.com")
            )
            try await gateway.link("tank-1", to: anna)
            try await gateway.link("tank-1", to: bob, role: "watcher")
            try await gateway.database.sql(
                "INSERT INTO device_clock (slot, device_id, lag_seconds) SELECT slot, device_id, 7200 FROM device")
            try await EventStream.with(gateway, bob) { bobs in
                // Readings from before the joining are not shown.
                try await gateway.store(6.1, of: "tank-1", behind: 7_300)
                try await gateway.store(7.1, of: "tank-1", behind: 7_200)
                let told = try await bobs.event("a reading") { $0.ph == 7.1 }
                #expect(abs(try Self.age(told.data["time"])) < 60)
                #expect(bobs.readings == [7.1])
            }
        }
    }
}
