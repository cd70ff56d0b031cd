import NIOHTTP1
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Explanations of alerts, and of missing alerts, over HTTP.
@Suite(.timeLimit(.minutes(10))) struct WhyRoutesTests {
    private static let path = "/api/v1/devices/tank-1/parameters/temperature/why"

    /// Anna's tank, with a value every minute for the last hour: 20 °C, and 25 °C from the 30th minute on. Anna got an
    /// alert at once, which her receiver accepted.
    private static func with(
        _ adjust: GatewayUnderTest.Adjustment = { _ in },
        _ body: @Sendable @escaping (GatewayUnderTest, GatewayUnderTest.Person) async throws -> Void
    ) async throws {
        try await GatewayUnderTest.with(adjust) { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await gateway.link("tank-1", to: anna)
            try await gateway.database.sql(
                """
                UPDATE setting SET valid_from = now() - interval '1 day';
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, date_trunc('minute', now()) - (59 - n) * interval '1 minute',
                    date_trunc('minute', now()) - (59 - n) * interval '1 minute', CASE WHEN n < 30 THEN 20 ELSE 25 END
                FROM device, generate_series(0, 59) AS n;
                INSERT INTO episode (slot, parameter, device_id, account_id, episode_id, kind, side, opened_at, last_at, worst)
                SELECT slot, 0, device_id, \(anna.account), 1, 'range', 'high',
                    date_trunc('minute', now()) - interval '29 minutes', now(), 25 FROM device;
                INSERT INTO transition (slot, episode_id, event_time, decided_at, reason, notification, value)
                SELECT slot, episode_id, opened_at, opened_at + interval '5 ms', 'opened', 'alerted', 25 FROM episode;
                INSERT INTO alert (slot, parameter, device_id, account_id, alert_id, uid, episode_id, kind, purpose, side, value,
                    worst, limit_value, opened_at, event_time, received_at, decided_at, state)
                SELECT slot, 0, device_id, account_id, 1, '0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d8e', 1, 'range', 'alarm', 'high', 25,
                    25, 24, opened_at, opened_at, opened_at, opened_at + interval '5 ms', 'delivered' FROM episode;
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                VALUES (1, \(anna.account), 'webhook', 'https://example.org/a', '');
                INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
                SELECT slot, account_id, alert_id, 1, 'accepted', now(), decided_at + interval '1 s' FROM alert
                """)
            try await body(gateway, anna)
        }
    }

    @Test func tellsWhatCameAndWhatWasDecided() async throws {
        try await Self.with { gateway, anna in
            let reply = try await gateway.request(.GET, Self.path + "?from=\(try await Self.ago(90, gateway))", anna)
            #expect(reply.status == 200, "\(reply.text)")
            let json = try #require(reply.json)
            #expect(json["parameter"]?.string == "temperature" && json["unit"]?.string == "C")
            #expect(json["readings"]?.integer == 60 && json["complete"]?.bool == true)
            let steps = try #require(json["steps"]?.array)
            #expect(steps.map { $0["what"]?.string } == ["gap", "limits", "inRange", "opened", "ongoing"])
            #expect(steps.map { $0["notification"]?.string } == ["none", "none", "none", "alerted", "throttled"])
            #expect(steps.map { $0["readings"]?.integer } == [0, 0, 30, 1, 29])
            #expect(steps[3]["side"]?.string == "high" && steps[3]["least"]?.number == 25)
            #expect(steps[3]["alert"]?.string == Alert.exampleID && steps[3]["alertState"]?.string == "delivered")
            #expect(
                steps[3]["text"]?.string == "25.0 °C, above your maximum of 24.0 °C. You were alerted. It arrived.")
            // The future holds no readings.
            let ahead = Self.path + "?from=\(try await Self.ago(59, gateway))&until=2999-01-01T00:00:00Z"
            #expect(try await gateway.request(.GET, ahead, anna).json?["readings"]?.integer == 60)
            let next = try #require(steps[4]["holdsUntil"]?.string)
            let opened = try #require(steps[3]["time"]?.string)
            #expect(
                try await gateway.ask("SELECT '\(next)'::timestamptz - '\(opened)'::timestamptz") == "00:30:00")
        }
    }

    /// A change, an episode, and alerts by kind, purpose and state.
    @Test(arguments: [
        """
        INSERT INTO transition (slot, episode_id, event_time, reason, notification)
        SELECT slot, episode_id, opened_at + interval '5 minutes', 'paused', 'none' FROM episode
        """,
        """
        INSERT INTO episode (slot, parameter, device_id, account_id, episode_id, kind, opened_at, last_at)
        SELECT slot, parameter, device_id, account_id, 2, 'forecast', opened_at, last_at FROM episode
        """,
        alert("kind", "forecast"), alert("purpose", "hint"), alert("state", "queued"),
    ])
    func whatOnlyANewerVersionKnowsIsLeftOut(_ change: String) async throws {
        try await Self.with { gateway, anna in
            try await gateway.database.sql(
                """
                ALTER TABLE transition DROP CONSTRAINT transition_reason_check;
                ALTER TABLE episode DROP CONSTRAINT episode_kind_check;
                ALTER TABLE alert DROP CONSTRAINT alert_kind_check, DROP CONSTRAINT alert_purpose_check,
                    DROP CONSTRAINT alert_state_check;
                \(change)
                """)
            let reply = try await gateway.request(.GET, Self.path + "?from=\(try await Self.ago(90, gateway))", anna)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(
                reply.json?["steps"]?.array?.map { $0["what"]?.string } == [
                    "gap", "limits", "inRange", "opened", "ongoing",
                ])
        }
    }

    /// Another alert of the same episode, with a word that only a newer version knows.
    private static func alert(_ column: String, _ word: String) -> String {
        """
        INSERT INTO alert (slot, parameter, device_id, account_id, alert_id, episode_id, kind, purpose, side, value, opened_at,
            event_time, decided_at, state)
        SELECT slot, parameter, device_id, account_id, 2, episode_id, kind, purpose, side, value, opened_at,
            event_time + interval '5 minutes', decided_at + interval '5 minutes', state FROM alert;
        UPDATE alert SET \(column) = '\(word)' WHERE alert_id = 2
        """
    }

    /// The words are in the person's language, their unit and their time zone.
    @Test func wordsAreThePersons() async throws {
        try await Self.with { gateway, anna in
            try await gateway.database.sql(
                "UPDATE account SET locale = 'ja', time_zone = 'Asia/Tokyo'; UPDATE setting SET unit = 'F'")
            let json = try #require(try await gateway.request(.GET, Self.path, anna).json)
            let last = try #require(json["steps"]?.array?.last)
            #expect(json["unit"]?.string == "F" && last["greatest"]?.number == 77)
            let clock = try await gateway.ask(
                "SELECT to_char(opened_at AT TIME ZONE 'Asia/Tokyo' + interval '30 minutes', 'FMHH24:MI') FROM episode")
            let text = try #require(last["text"]?.string)
            #expect(text.hasPrefix("測定値は77.0°Fで、上限の75.2°Fを超えている状態が続いています"))
            #expect(text.contains("\(clock)以降です。"), "\(text) \(clock)")
        }
    }

    @Test func settingsSnoozesAndTheOwnIntervalAreThoseOfTheTime() async throws {
        try await Self.with { gateway, anna in
            try await gateway.database.sql(
                """
                UPDATE account SET throttle_seconds = 600;
                UPDATE transition SET notification = 'snoozed';
                UPDATE setting SET valid_until = (SELECT max(event_time) FROM sample) - interval '40 minutes 30 s';
                INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, maximum, colour, position, valid_from)
                SELECT slot, device_id, account_id, parameter, 2, unit, 230, colour, position, valid_until FROM setting;
                DELETE FROM delivery; DELETE FROM alert;
                INSERT INTO snooze (slot, parameter, device_id, account_id, kind, side, set_at, snoozed_until)
                SELECT slot, 0, device_id, \(anna.account), 'range', 'high', now() - interval '50 minutes', now() + interval '1 hour'
                FROM device
                """)
            let json = try #require(
                try await gateway.request(.GET, Self.path + "?from=\(try await Self.ago(59, gateway))", anna).json)
            let steps = try #require(json["steps"]?.array)
            #expect(
                steps.map { "\($0["what"]?.string ?? "") \($0["notification"]?.string ?? "")" } == [
                    "limits none", "inRange none", "limits none", "inRange none", "opened snoozed", "ongoing snoozed",
                ])
            #expect(steps[2]["text"]?.string == "Your maximum: 23.0 °C.")
        }
    }

    @Test func onlyWhatIsThePersonsIsTold() async throws {
        try await Self.with { gateway, anna in
            let bob = try await gateway.person("bob@example.com")
            #expect(try await gateway.request(.GET, Self.path, bob).status == 404)
            #expect(try await gateway.request(.GET, Self.path).status == 401)
            // Bob joins halfway: he sees neither the time before, nor Anna's alerts.
            try await gateway.link("tank-1", to: bob, role: "watcher")
            try await gateway.database.sql(
                """
                UPDATE ownership SET readings_from = (SELECT max(event_time) FROM sample) - interval '10 minutes 30 s'
                WHERE account_id = \(bob.account)
                """)
            let query = "?from=\(try await Self.ago(59, gateway))"
            let joined = try #require(try await gateway.request(.GET, Self.path + query, bob).json)
            #expect(joined["readings"]?.integer == 11)
            #expect(joined["steps"]?.array?.contains { $0["alert"]?.string != nil } == false)
            // Anna gave it up: she sees the time until then.
            try await gateway.database.sql(
                """
                UPDATE ownership SET linked_at = now() - interval '1 day',
                    unlinked_at = (SELECT max(event_time) FROM sample) - interval '20 minutes 30 s' WHERE account_id = \(anna.account)
                """)
            let former = try #require(try await gateway.request(.GET, Self.path + query, anna).json)
            #expect(former["readings"]?.integer == 39)
            let after = try #require(
                try await gateway.request(.GET, Self.path + "?from=\(try await Self.ago(10, gateway))", anna).json)
            #expect(after["readings"]?.integer == 0 && after["steps"]?.array?.isEmpty == true)
        }
    }

    @Test func nothingStoredIsSaidSo() async throws {
        try await Self.with { gateway, anna in
            try await gateway.database.sql("DELETE FROM sample")
            let until = try await Self.ago(120, gateway)
            let json = try #require(try await gateway.request(.GET, Self.path + "?until=\(until)", anna).json)
            #expect(json["readings"]?.integer == 0)
            #expect(json["steps"]?.array?.map { $0["what"]?.string } == ["limits", "gap"])
        }
    }

    /// A week of a device that sends every ten seconds: only the newest readings are used.
    @Test func ofTooManyReadingsTheNewestAreTold() async throws {
        try await Self.with { gateway, anna in
            try await gateway.database.sql(
                """
                DELETE FROM sample;
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now() - n * interval '10 s', now() - n * interval '10 s', 20 + n % 2
                FROM device, generate_series(0, 6 * 8640 - 1) AS n
                """)
            let json = try #require(
                try await gateway.request(.GET, Self.path + "?from=\(try await Self.ago(6 * 1440, gateway))", anna).json
            )
            let readings = try #require(json["readings"]?.integer)
            #expect((25_000..<30_000).contains(readings) && json["complete"]?.bool == false)
        }
    }

    @Test(arguments: [
        ("from=2026-05-08T00:00:00Z&until=2026-05-01T00:00:00Z", "from"),
        ("from=2026-05-01T00:00:00Z&until=2026-05-09T00:00:00Z", "from"), ("from=yesterday", "from"),
        ("from=2020-01-01T00:00:00Z", "from"),
    ]) func whatMakesNoSenseIsRefused(_ query: String, _ input: String) async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await gateway.link("tank-1", to: anna)
            let reply = try await gateway.request(.GET, Self.path + "?" + query, anna)
            #expect(reply.status == 422, "\(reply.text)")
            #expect(reply.json?["errors"]?[0]?["parameter"]?.string == input)
        }
    }

    @Test func whereNoneMayRunTheClientIsToldToWait() async throws {
        try await Self.with(GatewayUnderTest.adjusting { $0.settings.backTests.running = 0 }) { gateway, anna in
            let reply = try await gateway.request(.GET, Self.path, anna)
            #expect(reply.status == 429 && reply[header: "Retry-After"] == "1")
        }
    }

    /// So many minutes before the last value, whatever minute it is by now.
    private static func ago(_ minutes: Int, _ gateway: GatewayUnderTest) async throws -> String {
        try await gateway.ask(
            """
            SELECT to_char(((SELECT coalesce(max(event_time), date_trunc('minute', now())) FROM sample) - \(minutes) * interval '1 minute') AT TIME ZONE 'UTC',
                'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            """)
    }
}
