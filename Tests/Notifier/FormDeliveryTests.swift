import Foundation
import PushClient
import Secrets
import ServiceKit
import Store
import TestSupport
import Testing
import WaterQuality
import Webhooks

@testable import Notifier

/// Webhooks get what they are told in the form that their person chose, signed alike.
@Suite struct FormDeliveryTests {
    private static func choose(
        _ form: WebhookForm, for endpoint: Int64, sealedWith key: SecretKey? = nil, in scene: Scene
    ) async throws {
        let stored = try form.stored(for: Endpoint.ID(rawValue: endpoint), sealedWith: try key ?? Scene.key)
        let sealed = stored.sealedTemplate.map { bytes in
            "'\\x\(bytes.map { String(format: "%02x", $0) }.joined())'"
        }
        try await scene.database.sql(
            """
            UPDATE endpoint SET form = '\(stored.form.rawValue)', sealed_template = \(sealed ?? "NULL"),
                template_type = \(stored.templateType.map { "'\($0)'" } ?? "NULL")
            WHERE endpoint_id = \(endpoint)
            """)
    }

    private static func requireSigned(_ request: WebhookSink.Request) throws {
        let verdict = try Scene.secret.verify(
            id: request.header("webhook-id"), timestamp: request.header("webhook-timestamp"),
            signatures: request.header("webhook-signature"), body: request.body,
            now: Int64(Date.now.timeIntervalSince1970))
        #expect(verdict == .valid)
    }

    @Test func `each form is delivered with its type and the same signature`() async throws {
        let json = try MessageTemplate(
            #"{"token": "theirs", "event": "{{#if over}}resolve{{else}}trigger{{/if}}", "text": {{title}}, "v": {{value}}}"#,
            type: .json)
        let form = try MessageTemplate("token=theirs&title={{title}}&limit={{limit}}", type: .form)
        let text = try MessageTemplate("{{device.name}} {{value}} {{unit}}", type: .text)
        let forms: [(WebhookForm, String)] = [
            (.standard, "application/json"), (.cloudEvents, "application/cloudevents+json"),
            (.alertmanager, "application/json"), (.template(json), "application/json"),
            (.template(form), "application/x-www-form-urlencoded"), (.template(text), "text/plain; charset=utf-8"),
        ]
        try await Scene.with { scene in
            for (index, (form, _)) in forms.enumerated() {
                try await scene.endpoint(Int64(index + 1))
                try await Self.choose(form, for: Int64(index + 1), in: scene)
            }
            let requests = try await scene.notifying(origin: PublicOrigin("https://water.example.org")) {
                try await scene.alarms()
                return try await scene.sink.requests(forms.count)
            }
            let bodies = Dictionary(
                uniqueKeysWithValues: requests.map { ($0.path, String(decoding: $0.body, as: UTF8.self)) })
            for request in requests {
                try Self.requireSigned(request)
                let index = try #require(Int(request.path.dropFirst()))
                #expect(request.header("content-type") == forms[index - 1].1, "\(forms[index - 1].0)")
                #expect(request.header("user-agent") == "AquaMonitor")
            }
            #expect(bodies["/1"]?.contains(#""type":"alert.alarm""#) == true)
            #expect(bodies["/2"]?.contains(#""source":"https://water.example.org""#) == true)
            #expect(bodies["/2"]?.contains(#""id":"alert_5_1_2""#) == true)
            #expect(bodies["/3"]?.contains(#""status":"firing""#) == true)
            #expect(bodies["/3"]?.contains(#""generatorURL":"https://water.example.org/alerts/5_1""#) == true)
            #expect(
                bodies["/4"]
                    == #"{"token": "theirs", "event": "trigger", "text": "Koi: La temperatura está alta", "v": 78.1}"#)
            #expect(bodies["/5"] == "token=theirs&title=Koi%3A%20La%20temperatura%20est%C3%A1%20alta&limit=75.2")
            #expect(bodies["/6"] == "Koi 78.1 F")
            #expect(try await scene.ask("SELECT count(*) FROM delivery WHERE state = 'accepted'") == "\(forms.count)")
        }
    }

    /// Of a newer version, of another key, or copied from another endpoint.
    @Test func `an alert whose form cannot be read is told in the standard form`() async throws {
        try await Scene.with { scene in
            for number in 1...3 { try await scene.endpoint(Int64(number)) }
            try await scene.database.sql("UPDATE endpoint SET form = 'telepathy' WHERE endpoint_id = 1")
            let template = WebhookForm.template(try MessageTemplate("{{title}}", type: .text))
            for number in 2...3 { try await Self.choose(template, for: Int64(number), in: scene) }
            try await scene.database.sql(
                """
                UPDATE endpoint SET template_type = 'application/yaml' WHERE endpoint_id = 2;
                UPDATE endpoint SET sealed_template = '\\x01' WHERE endpoint_id = 3
                """)
            let metrics = MetricsRegistry()
            let requests = try await scene.notifying(metrics: metrics) {
                try await scene.alarms()
                return try await scene.sink.requests(3)
            }
            #expect(metrics.render().contains("aqua_notifier_unreadable_forms_total 3"))
            for request in requests {
                let message = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
                #expect(message?["type"] as? String == "alert.alarm")
                try Self.requireSigned(request)
            }
        }
    }

    /// The end of an alarm is known as its end by each receiver, in its own terms.
    @Test func `each form tells an end as the end of what it told`() async throws {
        let json = try MessageTemplate(
            #"{"event": "{{#if over}}resolve{{else}}trigger{{/if}}", "key": {{collapse_key}}}"#, type: .json)
        let forms: [WebhookForm] = [.standard, .cloudEvents, .alertmanager, .template(json)]
        try await Scene.with { scene in
            for (index, form) in forms.enumerated() {
                try await scene.endpoint(Int64(index + 1))
                try await Self.choose(form, for: Int64(index + 1), in: scene)
            }
            let requests = try await scene.notifying(origin: PublicOrigin("https://water.example.org")) {
                try await scene.alarms()
                _ = try await scene.sink.requests(forms.count)
                try await scene.await("4", "SELECT count(*) FROM delivery WHERE state = 'accepted'")
                try await scene.alarms(2...2, purpose: "recovery")
                return try await scene.sink.requests(2 * forms.count)
            }
            for request in requests { try Self.requireSigned(request) }
            func told(_ path: String) throws -> [[String: Any]] {
                try requests.filter { $0.path == path }.map {
                    try #require(JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any])
                }
            }
            #expect(try told("/1").map { $0["type"] as? String } == ["alert.alarm", "alert.recovery"])
            let events = try told("/2")
            #expect((events[1]["type"] as? String)?.hasSuffix(".recovery") == true, "\(events[1])")
            #expect(events[0]["subject"] as? String == events[1]["subject"] as? String)
            let alerts = try told("/3").compactMap { ($0["alerts"] as? [[String: Any]])?.first }
            #expect(alerts.map { $0["status"] as? String } == ["firing", "resolved"])
            #expect(Set(alerts.map { $0["fingerprint"] as? String }).count == 1 && alerts.count == 2)
            let own = try told("/4")
            #expect(own.map { $0["event"] as? String } == ["trigger", "resolve"])
            #expect(own[0]["key"] as? String == own[1]["key"] as? String)
        }
    }

    /// The Gateway seals with a key that the file holds since; the notifier reads it anew, as for secrets.
    @Test func `a template under a key that the file holds since is read with it`() async throws {
        let text = String(repeating: "17", count: 32)
        let new = try #require(SecretKey(text))
        let (old, both) = (SecretKeys(try Scene.key), try #require(SecretKeys([text, Scene.keyText])))
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let form = WebhookForm.template(try MessageTemplate("told: {{device.name}}", type: .text))
            try await Self.choose(form, for: 1, sealedWith: new, in: scene)
            let requests = try await scene.notifying(keys: Renewable(old) { both }) {
                try await scene.alarms()
                return try await scene.sink.requests(1)
            }
            #expect(String(decoding: requests[0].body, as: UTF8.self) == "told: Koi")
        }
    }

    @Test func `a test reaches a receiver in its form`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await Self.choose(.alertmanager, for: 1, in: scene)
            let requests = try await scene.notifying {
                try await scene.database.sql(
                    """
                    INSERT INTO alert (slot, account_id, alert_id, kind, purpose, opened_at, event_time, state)
                    VALUES (1, \(scene.account), 1, 'test', 'test', now(), now(), 'decided');
                    SELECT pg_notify('alert', '')
                    """)
                return try await scene.sink.requests(1)
            }
            let body = String(decoding: requests[0].body, as: UTF8.self)
            #expect(body.contains(#""alertname":"AquaMonitorTest""#) && body.contains(#""severity":"info""#))
        }
    }
}
