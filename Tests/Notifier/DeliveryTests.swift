import Foundation
import Messaging
import Notifier
import PushClient
import Secrets
import TestSupport
import Testing
import WaterQuality

/// Deliveries through PostgreSQL and HTTP.
@Suite struct DeliveryTests {
    @Test func `an alert goes to each of the person's endpoints, signed and in their words`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.endpoint(2)
            let requests = try await scene.notifying {
                try await scene.alarms()
                return try await scene.sink.requests(2)
            }
            #expect(Set(requests.map(\.path)) == ["/1", "/2"])
            #expect(Set(requests.map { $0.header("webhook-id") }) == ["alert_5_1_1", "alert_5_1_2"])
            for request in requests {
                let verdict = try Scene.secret.verify(
                    id: request.header("webhook-id"), timestamp: request.header("webhook-timestamp"),
                    signatures: request.header("webhook-signature"), body: request.body,
                    now: Int64(Date.now.timeIntervalSince1970))
                #expect(verdict == .valid)
                let message = try #require(
                    JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
                let data = try #require(message["data"] as? [String: Any])
                #expect(message["type"] as? String == "alert.alarm")
                #expect(data["collapse_key"] as? String == "pond-1/temperature/range")
                #expect(data["value"] as? Double == 78.1)
                #expect(data["limit"] as? Double == 75.2)
                #expect(data["unit"] as? String == "F")
                #expect(data["side"] as? String == "high")
                #expect((data["title"] as? String)?.hasPrefix("Koi: ") == true)
                #expect((data["text"] as? String)?.contains("78,1 °F") == true)
                #expect((data["device"] as? [String: String]) == ["id": "pond-1", "name": "Koi"])
            }
            #expect(try await scene.ask("SELECT state FROM alert") == "delivered")
            #expect(try await scene.ask("SELECT string_agg(state, ',') FROM delivery") == "accepted,accepted")
            #expect(try await scene.ask("SELECT count(*) FROM throttle") == "1")
        }
    }

    @Test func `alarm, reminder and recovery share the key by which each replaces the one before`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let requests = try await scene.notifying {
                for (index, purpose) in ["alarm", "reminder", "recovery"].enumerated() {
                    try await scene.alarms((index + 1)...(index + 1), purpose: purpose)
                    _ = try await scene.sink.requests(index + 1)
                }
                return scene.sink.received
            }
            let messages = try requests.map {
                try #require(JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any])
            }
            #expect(messages.map { $0["type"] as? String } == ["alert.alarm", "alert.reminder", "alert.recovery"])
            let data = messages.compactMap { $0["data"] as? [String: Any] }
            #expect(Set(data.map { $0["collapse_key"] as? String }) == ["pond-1/temperature/range"])
            #expect(Set(data.map { $0["title"] as? String }).count == 3)
            // 25.9 °C, the worst value so far.
            #expect((data[1]["text"] as? String)?.contains("78,6 °F") == true)
        }
    }

    @Test func `unstable water is told as such, in words and by its flag`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let requests = try await scene.notifying {
                try await scene.alarms(state: "delivered")
                try await scene.database.sql("UPDATE alert SET unstable = true, state = 'decided' WHERE alert_id = 1")
                try await scene.database.sql("SELECT pg_notify('alert', '')")
                return try await scene.sink.requests(1)
            }
            let message = try #require(JSONSerialization.jsonObject(with: Data(requests[0].body)) as? [String: Any])
            let data = try #require(message["data"] as? [String: Any])
            #expect(message["type"] as? String == "alert.alarm")
            #expect(data["title"] as? String == "Koi: La temperatura está inestable")
            #expect(data["unstable"] as? Bool == true && data["critical"] as? Bool == false)
        }
    }

    @Test func `a critical alert says so, in words and by its flag`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let requests = try await scene.notifying {
                try await scene.alarms()
                _ = try await scene.sink.requests(1)
                try await scene.alarms(2...2, state: "delivered")
                try await scene.database.sql("UPDATE alert SET critical = true, state = 'decided' WHERE alert_id = 2")
                try await scene.database.sql("SELECT pg_notify('alert', '')")
                _ = try await scene.sink.requests(2)
                return scene.sink.received
            }
            let data = try requests.map {
                let message = try #require(JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any])
                return try #require(message["data"] as? [String: Any])
            }
            #expect(data.map { $0["critical"] as? Bool } == [false, true])
            #expect(
                data.map { $0["title"] as? String } == [
                    "Koi: La temperatura está alta", "Koi: La temperatura está críticamente alta",
                ])
            #expect((data[1]["text"] as? String)?.contains("tu máximo crítico de") == true)
        }
    }

    @Test func `a silence goes out with its device and without values`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let requests = try await scene.notifying {
                for (index, purpose) in ["alarm", "reminder", "recovery"].enumerated() {
                    try await scene.silence(index + 1, purpose: purpose, isConnected: purpose == "reminder")
                    _ = try await scene.sink.requests(index + 1)
                }
                return scene.sink.received
            }
            let messages = try requests.map {
                try #require(JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any])
            }
            #expect(messages.map { $0["type"] as? String } == ["alert.alarm", "alert.reminder", "alert.recovery"])
            let data = messages.compactMap { $0["data"] as? [String: Any] }
            #expect(Set(data.map { $0["kind"] as? String }) == ["silence"])
            #expect(Set(data.map { $0["collapse_key"] as? String }) == ["pond-1/silence"])
            #expect(
                data.map { $0["title"] as? String } == [
                    "Koi: Sin mediciones", "Koi: Siguen sin llegar mediciones", "Koi: De nuevo hay mediciones",
                ])
            #expect(data.map { $0["check_probe"] as? Bool } == [false, true, false])
            #expect((data[0]["device"] as? [String: String])?["name"] == "Koi")
            #expect(data[0]["since"] as? String == "2026-05-01T12:00:00Z")
            for key in ["parameter", "side", "value", "limit", "unit"] { #expect(data[0][key] == nil, "\(key)") }
        }
    }

    @Test func `the silence of a parameter names it, and takes the place of none about its values`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let requests = try await scene.notifying {
                try await scene.silence(of: .ph, isConnected: true)
                return try await scene.sink.requests(1)
            }
            let message = try #require(JSONSerialization.jsonObject(with: Data(requests[0].body)) as? [String: Any])
            let data = try #require(message["data"] as? [String: Any])
            #expect(data["parameter"] as? String == "ph" && data["collapse_key"] as? String == "pond-1/ph/silence")
            #expect(data["title"] as? String == "Koi: Sin mediciones de pH")
            for key in ["side", "value", "limit", "unit", "another_probe"] { #expect(data[key] == nil, "\(key)") }
        }
    }

    @Test func `the silence of a probe that another one answers for says so`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let requests = try await scene.notifying {
                for (index, purpose) in ["alarm", "recovery"].enumerated() {
                    try await scene.silence(index + 1, of: .temperature, purpose: purpose)
                    _ = try await scene.sink.requests(index + 1)
                }
                return scene.sink.received
            }
            let data = try requests.map {
                let message = try #require(JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any])
                return try #require(message["data"] as? [String: Any])
            }
            #expect(data.map { $0["another_probe"] as? Bool } == [true, nil])
            #expect((data[0]["text"] as? String)?.contains("responde otra sonda") == true)
        }
    }

    @Test func `a broken probe goes out as such, with its end`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let requests = try await scene.notifying {
                for (index, purpose) in ["alarm", "reminder", "recovery"].enumerated() {
                    try await scene.silence(
                        index + 1, of: .ph, purpose: purpose, isConnected: purpose != "recovery", kind: .fault)
                    _ = try await scene.sink.requests(index + 1)
                }
                return scene.sink.received
            }
            let data = try requests.map {
                let message = try #require(JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any])
                return try #require(message["data"] as? [String: Any])
            }
            #expect(Set(data.map { $0["kind"] as? String }) == ["fault"])
            #expect(Set(data.map { $0["collapse_key"] as? String }) == ["pond-1/ph/fault"])
            #expect(
                data.map { $0["title"] as? String } == [
                    "Koi: Revisa la sonda de pH", "Koi: La sonda de pH sigue fallando",
                    "Koi: La sonda de pH vuelve a funcionar",
                ])
            #expect(data.map { $0["check_probe"] as? Bool } == [true, true, false])
            for key in ["side", "value", "limit", "unit"] { #expect(data[0][key] == nil, "\(key)") }
        }
    }

    /// The all-clear of a range does not wait for an alarm about a silent probe.
    @Test func `only alerts of the same kind wait for one another`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            scene.sink.answer([], then: .status(503))
            let requests = try await scene.notifying {
                try await scene.silence(1, of: .temperature)
                _ = try await scene.sink.requests(1)
                try await scene.alarms(2...2, purpose: "recovery")
                return try await scene.sink.requests(6)
            }
            let types = try requests.map {
                let message = try #require(JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any])
                return message["type"] as? String
            }
            #expect(types.contains("alert.recovery"))
        }
    }

    /// Alerts are sent in the order of their decisions. It is unknown whether the receiver has got the alarm.
    @Test func `the end of a silence waits for its alarm`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            scene.sink.answer([.hang], then: .status(204))
            var settings = Scene.settings
            settings.limits.total = .milliseconds(500)
            settings.patience = .milliseconds(10)
            let requests = try await scene.notifying(settings) {
                try await scene.silence(1)
                _ = try await scene.sink.requests(1)
                try await scene.silence(2, purpose: "recovery")
                return try await scene.sink.requests(2)
            }
            let types = try requests.map {
                let message = try #require(JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any])
                return message["type"] as? String
            }
            #expect(types == ["alert.alarm", "alert.recovery"])
            #expect(
                try await scene.ask("SELECT outcome FROM delivery_attempt WHERE alert_id = 1 AND attempt = 1")
                    == "ambiguous")
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: Paths.python), "no Python with standardwebhooks"))
    func `PyPI standardwebhooks verifies a message, and refuses a changed one`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let request = try await scene.notifying {
                try await scene.alarms()
                return try await scene.sink.requests(1)[0]
            }
            let script = """
                import json, sys
                from standardwebhooks.webhooks import Webhook
                told = json.load(sys.stdin)
                print(Webhook(told["secret"]).verify(told["body"].encode(), told["headers"])["type"])
                try:
                    Webhook(told["secret"]).verify(told["body"].encode() + b" ", told["headers"])
                except Exception as error:
                    print(type(error).__name__)
                """
            let names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
            let told: [String: Any] = [
                "secret": try Scene.secret.text, "body": String(decoding: request.body, as: UTF8.self),
                "headers": Dictionary(uniqueKeysWithValues: names.map { ($0, request.header($0) ?? "") }),
            ]
            let input = String(decoding: try JSONSerialization.data(withJSONObject: told), as: UTF8.self)
            let output = try await ProcessUnderTest.run(Paths.python, ["-c", script], input: input)
            #expect(output == "alert.alarm\nWebhookVerificationError")
        }
    }

    @Test func `a time zone that nobody knows any more is UTC`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.database.sql(
                """
                ALTER TABLE account DISABLE TRIGGER account_time_zone;
                UPDATE account SET time_zone = 'Mars/Olympus'
                """)
            try await scene.notifying {
                try await scene.alarms()
                try await scene.await("delivered", "SELECT state FROM alert")
            }
            #expect(scene.sink.received.count == 1)
        }
    }

    @Test func `an all-clear goes to those who got the alarm, and the alarm to nobody any more`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.endpoint(2)
            // Whichever endpoint is called first fails.
            scene.sink.answer([.status(503)], then: .status(200))
            var settings = Scene.settings
            settings.patience = .milliseconds(10)
            settings.schedule = RetrySchedule(first: .seconds(600), longest: .seconds(600))
            try await scene.notifying(settings) {
                try await scene.alarms(1...1)
                let told = try await scene.sink.requests(2)[1].path
                try await scene.alarms(2...2, purpose: "recovery")
                // Both are recorded: what is on its way is pending too, and would be sent twice.
                try await scene.await("2", "SELECT count(*) FROM delivery WHERE state = 'accepted'")
                // The failed endpoint is due again only when the all-clear exists, however busy the machine is.
                try await scene.database.sql(
                    "UPDATE delivery SET next_attempt_at = now() WHERE state = 'pending' AND attempts = 1; NOTIFY alert"
                )
                try await scene.await("delivered,delivered", "SELECT string_agg(state, ',') FROM alert")
                #expect(scene.sink.received.map(\.path).suffix(2) == [told, told])
            }
            #expect(scene.sink.received.count == 3)
            #expect(
                try await scene.ask("SELECT string_agg(state, ',' ORDER BY alert_id, state) FROM delivery")
                    == "accepted,cancelled,accepted,cancelled")
        }
    }

    /// The first lease after a calm takes few, and what waits is no row of it.
    @Test func `what waits hides nothing behind it`() async throws {
        try await Scene.with { scene in
            try await scene.register(1, by: .ntfy, [.server: scene.sink.url(path: "/ntfy"), .topic: "koi"])
            try await scene.alarms(1...60, state: "undelivered")
            var settings = Scene.settings
            // Nothing but notices wakes the notifier.
            settings.interval = .seconds(3_600)
            try await scene.notifying(settings) {
                try await scene.database.sql(
                    "UPDATE alert SET state = 'decided', due_at = CASE WHEN alert_id < 40 THEN now() + interval '1 hour' END; "
                        + "NOTIFY alert")
                try await scene.await("21", "SELECT count(*) FROM delivery WHERE state = 'accepted'")
            }
        }
    }

    /// Even if both are leased together.
    @Test func `who has not got the alarm gets no all-clear`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            var settings = Scene.settings
            settings.patience = .milliseconds(10)
            try await scene.alarms(1...1)
            try await scene.alarms(2...2, purpose: "recovery")
            try await scene.notifying(settings) {
                try await scene.await("cancelled,cancelled", "SELECT string_agg(state, ',') FROM alert")
            }
            #expect(scene.sink.received.isEmpty)
        }
    }

    /// Receivers remember ids, while the database's numbers continue from the dump's after a restore.
    @Test func `an alert after a restore has another id, though its number comes again`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let uids = ["0198c0de-0000-7000-8000-000000000001", "0198c0de-0000-7000-8000-000000000002"]
            for uid in uids {
                try await scene.database.sql(
                    """
                    DELETE FROM delivery_attempt; DELETE FROM delivery; DELETE FROM throttle; DELETE FROM alert;
                    DELETE FROM episode
                    """)
                try await scene.alarms(state: "undelivered")
                try await scene.database.sql("UPDATE alert SET uid = '\(uid)', state = 'decided'")
                try await scene.notifying { try await scene.await("delivered", "SELECT state FROM alert") }
            }
            let requests = scene.sink.received
            #expect(requests.map { $0.header("webhook-id") } == uids.map { "alert_\($0)_1" })
            for (request, uid) in zip(requests, uids) {
                #expect(String(decoding: request.body, as: UTF8.self).contains(#""alert_id":"\#(uid)""#))
            }
        }
    }

    @Test func `a test message goes out too`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let body = try await scene.notifying {
                try await scene.database.sql(
                    """
                    INSERT INTO alert (slot, account_id, alert_id, kind, purpose, opened_at, event_time)
                    VALUES (\(scene.account) % 64, \(scene.account), 9, 'test', 'test', now(), now());
                    SELECT pg_notify('alert', '')
                    """)
                return try await scene.sink.requests(1)[0].body
            }
            #expect(String(decoding: body, as: UTF8.self).contains(#""type":"alert.test""#))
            #expect(try await scene.ask("SELECT state FROM alert") == "delivered")
        }
    }
}
