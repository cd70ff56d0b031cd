import Foundation
import Instants
import Messaging
import Secrets
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Webhooks

/// The bytes of each form, against what others say of them.
@Suite struct FormTests {
    static let origin = "https://water.example.org"

    private static func json(_ form: WebhookForm, _ content: WebhookContent) throws -> [String: Any] {
        let body = try form.body(of: content, from: origin)
        return try #require(JSONSerialization.jsonObject(with: Data(body.bytes)) as? [String: Any])
    }

    /// The form that receivers have been built for, byte for byte.
    @Test func theStandardFormIsAsItWas() throws {
        let body = try WebhookForm.standard.body(of: Example.message(Example.warm), from: Self.origin)
        #expect(body.contentType == "application/json")
        #expect(
            String(decoding: body.bytes, as: UTF8.self)
                == #"{"data":{"alert_id":"\#(Example.uid)","check_probe":false,"collapse_key":"pond-1/temperature/range","critical":false,"#
                + #""decided_at":"2026-05-01T12:00:00Z","device":{"id":"pond-1","name":"Koi"},"event_time":"2026-05-01T12:00:00Z","#
                + #""kind":"range","limit":75.2,"parameter":"temperature","received_at":"2026-05-01T12:00:00Z","side":"high","#
                + #""since":"2026-05-01T11:58:30Z","text":"78.1 °F, above your maximum of 75.2 °F since 11:58. Cool it slowly: shade, "#
                + #"open the lid, add air. Feed less.","title":"Koi: Temperature is high","unit":"F","unstable":false,"value":78.1},"#
                + #""timestamp":"2026-05-01T12:00:00Z","type":"alert.alarm"}"#)
    }

    @Test func aCloudEventHasTheSameDataAndSaysWhereItIsFrom() throws {
        let content = Example.message(Example.warm)
        let event = try Self.json(.cloudEvents, content)
        let own = try Self.json(.standard, content)
        let data = try [event, own].map {
            try JSONSerialization.data(withJSONObject: try #require($0["data"]), options: .sortedKeys)
        }
        #expect(data[0] == data[1])
        #expect(event["source"] as? String == Self.origin && event["id"] as? String == Example.id)
        #expect(event["type"] as? String == "org.aquamonitor.alert.alarm")
        #expect(event["subject"] as? String == "pond-1/temperature")
        let test = try WebhookForm.cloudEvents.body(of: Example.message(.test, .test), from: nil)
        let text = String(decoding: test.bytes, as: UTF8.self)
        #expect(text.contains(#""source":"urn:aquamonitor:service""#) && !text.contains("subject"))
        #expect(test.contentType == "application/cloudevents+json")
    }

    /// A code stands in the message's own words, whatever its alert would say.
    @Test func aMessageAboutOneAlertIsToldInItsOwnWords() throws {
        var content = Example.message(.test, .test)
        content.title = "482913 is your code"
        content.text = "Type it."
        let payload = try JSONSerialization.data(withJSONObject: try Self.json(.alertmanager, content))
        let annotations = try JSONDecoder().decode(Summarized.self, from: payload).alerts[0].annotations
        #expect(annotations["summary"] == "482913 is your code" && annotations["description"] == "Type it.")
        #expect(try Self.json(.cloudEvents, content)["data"].map { "\($0)".contains("482913") } == true)
    }

    private struct Summarized: Decodable {
        struct Alert: Decodable { let annotations: [String: String] }
        let alerts: [Alert]
    }

    @Test func anAlarmAndItsEndAreOneAlertOfAlertmanagers() throws {
        let later = Example.time + .seconds(600)
        let messages = [
            Example.message(Example.warm), Example.message(Example.warm, .reminder, named: "Carp"),
            Example.message(
                .range(
                    RangeContent(
                        parameter: .temperature, side: .high, value: 31, worst: 31, limit: 30, isCritical: true))),
            Example.message(Example.warm, .recovery, at: later),
        ]
        let payloads = try messages.map { try Self.json(.alertmanager, $0) }
        let alerts = payloads.compactMap { ($0["alerts"] as? [[String: Any]])?.first }
        #expect(Set(alerts.map { $0["fingerprint"] as? String }).count == 1)
        #expect(Set(payloads.map { $0["groupKey"] as? String }).count == 1)
        #expect(alerts.map { $0["status"] as? String } == ["firing", "firing", "firing", "resolved"])
        #expect(alerts.map { $0["endsAt"] as? String }.prefix(3).allSatisfy { $0 == "0001-01-01T00:00:00Z" })
        #expect(alerts[3]["endsAt"] as? String == later.iso8601)
        #expect(Set(alerts.map { $0["startsAt"] as? String }) == [Example.openedAt.iso8601])
        let severities = alerts.map { ($0["annotations"] as? [String: String])?["severity"] }
        #expect(severities == ["warning", "warning", "critical", "warning"])
        let others = Example.all.filter { $0.alert.content != Example.warm || $0.alert.call != nil }
        for other in others {
            let alert = (try Self.json(.alertmanager, other)["alerts"] as? [[String: Any]])?.first
            #expect(alert?["fingerprint"] as? String != alerts[0]["fingerprint"] as? String)
        }
    }

    @Test func severalAlertsAreListedAndAllOfThemMustBeOver() throws {
        var content = Example.message(Example.warm, .recovery)
        content.alerts.append(Example.alert(.fault(FaultContent(parameter: .ph))))
        let payload = try Self.json(.alertmanager, content)
        #expect(payload["status"] as? String == "firing" && (payload["alerts"] as? [Any])?.count == 2)
        #expect(payload["commonLabels"] as? [String: String] == ["device": "pond-1"])
        content.alerts = Array(repeating: Example.alert(Example.warm, .recovery), count: 70)
        let many = try Self.json(.alertmanager, content)
        #expect(many["status"] as? String == "resolved" && many["truncatedAlerts"] as? Int == 6)
        #expect((many["alerts"] as? [Any])?.count == 64)
    }

    /// By a model of each form that is written after its specification and knows nothing of this code.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: Paths.python), "no Python"))
    func receiversTakeEachMessage() async throws {
        let script = Paths.repository.appending(path: "Tests/Webhooks/receivers.py").path(percentEncoded: false)
        for origin in [Self.origin, nil] {
            for (name, form) in [("cloudEvents", WebhookForm.cloudEvents), ("alertmanager", .alertmanager)] {
                let bodies = try Example.all.map {
                    String(decoding: try form.body(of: $0, from: origin).bytes, as: UTF8.self)
                }
                let output = try await ProcessUnderTest.run(
                    Paths.python, [script, name], input: bodies.joined(separator: "\n"))
                #expect(output == "\(Example.all.count) taken", "\(name): \(output)")
            }
        }
    }

    @Test func aFormIsStoredSealedAndReadAgain() throws {
        let keys = SecretKeys(try #require(SecretKey(String(repeating: "5a", count: 32))))
        let endpoint = Endpoint.ID(rawValue: 7)
        let template = try MessageTemplate(#"{"token": "secret-of-theirs", "text": {{title}}}"#, type: .json)
        for form in [WebhookForm.standard, .cloudEvents, .alertmanager, .template(template)] {
            var stored = try form.stored(for: endpoint, sealedWith: keys.newest)
            #expect(WebhookForm(stored, of: endpoint, openedWith: keys) == form)
            guard stored.sealedTemplate != nil else { continue }
            #expect(!String(decoding: stored.sealedTemplate ?? [], as: UTF8.self).contains("secret"))
            // Copied to another endpoint, of a type or a form that a newer version knows: whoever sends decides what is told then.
            #expect(WebhookForm(stored, of: Endpoint.ID(rawValue: 8), openedWith: keys) == nil)
            stored.templateType = "application/yaml"
            #expect(WebhookForm(stored, of: endpoint, openedWith: keys) == nil)
            stored.form = .other("telepathy")
            #expect(WebhookForm(stored, of: endpoint, openedWith: keys) == nil)
        }
        let sealed = try SealedSecret.seal(
            Array("{{title | shout}}".utf8), with: keys.newest, for: .template(of: endpoint.rawValue))
        let newer = StoredForm(form: .known(.template), sealedTemplate: sealed.bytes, templateType: "text/plain")
        #expect(WebhookForm(newer, of: endpoint, openedWith: keys) == nil)
    }
}
