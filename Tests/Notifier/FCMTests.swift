import Foundation
import Instants
import PushClient
import Secrets
import ServiceKit
import Store
import TestSupport
import Testing
import WaterQuality
import WebPush

@testable import Notifier

/// Alerts to apps on Android devices, through PostgreSQL and servers with Google's rules.
@Suite struct FCMTests {
    private static let token = "eYx0:APA91b-" + String(repeating: "k", count: 130)

    private static func with(
        _ body: @Sendable @escaping (Scene, GoogleMessaging, FCMSettings) async throws -> Void
    ) async throws {
        try await Scene.with(.http2) { scene in
            let google = try GoogleMessaging(scene.sink)
            try await scene.app(1, on: .fcm, token: Self.token)
            try await body(scene, google, scene.fcm(google))
        }
    }

    private static func message(_ body: [UInt8]) throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        return try #require(json?["message"] as? [String: Any])
    }

    private static func data(_ body: [UInt8]) throws -> [String: String] {
        try #require(message(body)["data"] as? [String: String])
    }

    @Test func `an alert reaches an app with all that it needs`() async throws {
        try await Self.with { scene, google, settings in
            try await scene.notifying(fcm: settings, origin: Scene.origin) {
                try await scene.alarms()
                try await scene.await("delivered", "SELECT state FROM alert")
            }
            #expect(google.refusals.isEmpty, "\(google.refusals)")
            let body = try #require(google.messages.first)
            let message = try Self.message(body)
            #expect(message["token"] as? String == Self.token && message["notification"] == nil)
            let android = try #require(message["android"] as? [String: String])
            #expect(android["priority"] == "HIGH" && android.count == 2)
            let ttl = try #require(android["ttl"].flatMap { Int($0.dropLast()) })
            #expect((1600...1800).contains(ttl) && android["ttl"]?.last == "s")
            let data = try Self.data(body)
            #expect(data["title"]?.hasPrefix("Koi: ") == true && data["body"]?.contains("78,1 °F") == true)
            #expect(data["tag"] == CollapseTopic.text(of: "pond-1/temperature/range") && data["urgency"] == "alarm")
            #expect(data["alert"] == "5_1" && data["device"] == "pond-1" && data["kind"] == "range")
            #expect(data["answers"] == "https://water.example.org/api/v1/answers")
            let receipt = try #require(data["receipt"])
            #expect(try await scene.ask("SELECT note_arrival('\(receipt)')") == "t")
            let link = try #require(data["answer"])
            let answer = try #require(SealedLink.answer.token(of: link, openedWith: SecretKeys(try Scene.key)))
            #expect(try await scene.ask("SELECT alert_id FROM enter_answer('\(answer)')") == "1")
        }
    }

    /// The schema that Google publishes for its clients, and what is said there in words alone.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: Paths.python), "no Python with Google's client"))
    func `each message is as Google's schema has it`() async throws {
        try await Self.with { scene, google, settings in
            try await scene.notifying(fcm: settings, origin: Scene.origin) {
                try await scene.silence()
                try await scene.await("delivered", "SELECT state FROM alert")
                for (index, purpose) in ["alarm", "reminder", "recovery"].enumerated() {
                    try await scene.alarms((index + 2)...(index + 2), purpose: purpose)
                    try await scene.await("delivered", "SELECT state FROM alert WHERE alert_id = \(index + 2)")
                }
            }
            #expect(google.messages.count == 4)
            let data = try google.messages.map(Self.data)
            #expect(data.map { $0["urgency"] } == ["alarm", "alarm", "alarm", "end"])
            #expect(Set(data.dropFirst().map { $0["tag"] }).count == 1)
            let script = """
                import json, os, re, sys, googleapiclient
                path = os.path.join(os.path.dirname(googleapiclient.__file__), "discovery_cache/documents/fcm.v1.json")
                schemas = json.load(open(path))["schemas"]
                def check(value, schema, where):
                    schema = schemas[schema["$ref"]] if "$ref" in schema else schema
                    kind = {"string": str, "boolean": bool, "object": dict, "array": list, "integer": int, "number": float}[schema["type"]]
                    assert isinstance(value, kind), f"{where} is no {schema['type']}"
                    assert "enum" not in schema or value in schema["enum"], f"{where} is {value}"
                    assert schema.get("format") != "google-duration" or re.fullmatch(r"[0-9]+(\\.[0-9]{1,9})?s", value), f"{where} is {value}"
                    for name, member in value.items() if kind is dict else ():
                        properties = schema.get("properties", {})
                        assert name in properties or "additionalProperties" in schema, f"{where} has no {name}"
                        check(member, properties.get(name) or schema["additionalProperties"], f"{where}.{name}")
                for line in sys.stdin:
                    request = json.loads(line)
                    check(request, {"$ref": "SendMessageRequest"}, "request")
                    for name in request["message"]["data"]:
                        assert name not in ("from", "message_type") and not name.startswith(("google.", "gcm.")), name
                    print("ok")
                """
            let lines = google.messages.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
            let output = try await ProcessUnderTest.run(Paths.python, ["-c", script], input: lines)
            #expect(output.split(separator: "\n").count == 4)
        }
    }

    @Test func `many messages wait for one token`() async throws {
        try await Self.with { scene, google, settings in
            try await scene.notifying(fcm: settings) {
                try await scene.alarms(1...40)
                try await scene.await("40", "SELECT count(*) FROM alert WHERE state = 'delivered'")
            }
            #expect(google.grants == 1 && google.messages.count == 40 && google.refusals.isEmpty)
        }
    }

    @Test func `a token that Google does not take any more is replaced, once`() async throws {
        try await Self.with { scene, google, settings in
            google.answer([GoogleMessaging.failure(401)])
            try await scene.notifying(fcm: settings) {
                try await scene.alarms()
                try await scene.await("delivered", "SELECT state FROM alert")
                google.answer([GoogleMessaging.failure(401), GoogleMessaging.failure(401)])
                try await scene.alarms(2...2)
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt WHERE alert_id = 2")
            }
            #expect(google.messages.count == 4)
            #expect(try await scene.ask("SELECT count(*) FROM delivery_attempt WHERE alert_id = 1") == "1")
            #expect(
                try await scene.ask(
                    "SELECT state || ' ' || (next_attempt_at > now() + interval '4 minutes') FROM delivery WHERE alert_id = 2"
                )
                    == "pending true")
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "1")
        }
    }

    private static let failures: [(status: Int, code: String?, field: String?, isRetired: Bool)] = [
        (404, "UNREGISTERED", nil, true), (400, "INVALID_ARGUMENT", "message.token", true), (404, nil, nil, false),
        (400, "INVALID_ARGUMENT", "message.data", false), (403, "SENDER_ID_MISMATCH", nil, false),
        (401, "THIRD_PARTY_AUTH_ERROR", nil, false), (403, nil, nil, false),
    ]

    @Test(arguments: FCMTests.failures)
    func `only what is about the phone retires it`(
        status: Int, code: String?, field: String?, isRetired: Bool
    ) async throws {
        try await Self.with { scene, google, settings in
            let answer = GoogleMessaging.failure(status, code: code, field: field)
            google.answer([answer])
            try await scene.notifying(fcm: settings) {
                try await scene.alarms()
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt")
            }
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == (isRetired ? "0" : "1"))
            #expect(try await scene.ask("SELECT state FROM delivery") == (isRetired ? "failed" : "pending"))
            #expect(try await !scene.ask("SELECT detail FROM delivery_attempt").contains("APA91b"))
        }
    }

    @Test func `an app of another project is retired once others have been told`() async throws {
        try await Self.with { scene, google, settings in
            try await scene.notifying(fcm: settings) {
                try await scene.alarms()
                try await scene.await("delivered", "SELECT state FROM alert")
                google.answer([GoogleMessaging.failure(403, code: "SENDER_ID_MISMATCH")])
                try await scene.alarms(2...2)
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt WHERE alert_id = 2")
            }
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "0")
        }
    }

    @Test(arguments: [
        (WebhookSink.Answer.body("<html>", status: 502), 0), (GoogleMessaging.failure(429, code: "QUOTA_EXCEEDED"), 55),
        (GoogleMessaging.failure(429, code: "QUOTA_EXCEEDED", retryAfter: "7"), 6),
        (GoogleMessaging.failure(503, code: "UNAVAILABLE"), 9), (GoogleMessaging.failure(500, code: "INTERNAL"), 9),
    ])
    func `a pause is as long as Google wants it`(answer: WebhookSink.Answer, least: Int) async throws {
        try await Self.with { scene, google, settings in
            google.answer([answer])
            try await scene.notifying(fcm: settings) {
                try await scene.alarms()
                try await scene.await("1", "SELECT count(*) FROM delivery_attempt WHERE attempt = 1")
                let waited = try await scene.ask(
                    """
                    SELECT extract(epoch FROM d.next_attempt_at - t.started_at) >= \(least) OR d.state = 'accepted'
                    FROM delivery d JOIN delivery_attempt t USING (slot, alert_id) WHERE t.attempt = 1
                    """)
                #expect(waited == "t")
            }
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "1")
        }
    }

    @Test func `what was not dealt with is sent again`() async throws {
        try await Self.with { scene, google, settings in
            google.answer([.goAway, .refuse, .close])
            try await scene.notifying(fcm: settings) {
                try await scene.alarms()
                try await scene.await("delivered", "SELECT state FROM alert")
            }
            #expect(google.messages.count >= 4 && google.refusals.isEmpty)
        }
    }

    /// Nobody is retired for a service account that Google has locked, and it is not asked again and again.
    @Test func `without a token nothing is sent`() async throws {
        try await Self.with { scene, google, settings in
            let refusal = WebhookSink.Answer.body(#"{"error":"invalid_grant"}"#, status: 400)
            google.answerGrants(Array(repeating: refusal, count: 20))
            try await scene.notifying(fcm: settings) {
                try await scene.alarms(1...5)
                try await scene.await("5", "SELECT count(DISTINCT alert_id) FROM delivery_attempt")
            }
            #expect(try await scene.ask("SELECT string_agg(DISTINCT outcome, ',') FROM delivery_attempt") == "refused")
            #expect(google.grants == 0 && google.messages.isEmpty)
            #expect(scene.sink.received.count < 5)
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "1")
        }
    }
}
