import Foundation
import PublicHTTP
import Routes
import TestSupport
import Testing

@testable import Gateway

/// The form of what a webhook is sent: chosen, changed, shown to its person alone, and tried.
@Suite struct FormRoutesTests {
    private static let template: JSON = [
        "form": "template", "template": "{\"token\": \"of-theirs\", \"text\": {{title}}}",
        "templateType": "application/json",
    ]

    private static func path(_ endpoint: Int64) -> [String: String] { ["endpoint": "\(endpoint)"] }

    @Test func `a webhook has the standard form unless another is chosen`() async throws {
        try await PersonScene.with { scene in
            let added = try await scene.register(as: scene.ada)
            #expect(added.json["endpoint"]?["form"]?.string == "standard")
            let shown = try await scene.call("showEndpointForm", as: scene.ada, path: Self.path(added.endpoint))
            #expect(shown.json == ["form": "standard", "template": .null, "templateType": .null])
            let other = try await scene.call(
                "addEndpoint", as: scene.ada,
                body: ["url": .string(scene.sink.url(path: "/events")), "form": "cloudEvents"])
            #expect(other.status == 201 && other.json["endpoint"]?["form"]?.string == "cloudEvents")
            #expect(
                try await scene.ask("SELECT form FROM endpoint WHERE endpoint_id = \(other.endpoint)") == "cloudEvents")
        }
    }

    @Test func `a template is stored sealed, shown to its person, and gone with its webhook`() async throws {
        try await PersonScene.with { scene in
            let number = try await scene.register(as: scene.ada).endpoint
            let changed = try await scene.call(
                "changeEndpointForm", as: scene.ada, path: Self.path(number), body: Self.template)
            #expect(changed.status == 200, "\(changed.json.text)")
            let shown = try await scene.call("showEndpointForm", as: scene.ada, path: Self.path(number))
            #expect(shown.json == Self.template)
            #expect(!(try await scene.ask("SELECT endpoint::text FROM endpoint").contains("theirs")))
            #expect(!(try await scene.ask("SELECT encode(sealed_template, 'escape') FROM endpoint").contains("theirs")))
            let listed = try await scene.call("listEndpoints", as: scene.ada).json.text
            #expect(listed.contains("\"form\":\"template\"") && !listed.contains("theirs"))
            // Somebody else's from now on: nothing of it is left.
            #expect(try await scene.call("removeEndpoint", as: scene.ada, path: Self.path(number)).status == 204)
            #expect(try await scene.call("showEndpointForm", as: scene.ada, path: Self.path(number)).status == 404)
            #expect(try await scene.register(as: scene.bob).endpoint == number)
            #expect(try await scene.ask("SELECT form, sealed_template IS NULL FROM endpoint") == "standard|t")
        }
    }

    /// A lost secret, or a receiver that answered 410, is no reason to choose anew.
    @Test func `a webhook that is registered anew keeps its form unless another is asked for`() async throws {
        try await PersonScene.with { scene in
            let number = try await scene.register(as: scene.ada).endpoint
            _ = try await scene.call(
                "changeEndpointForm", as: scene.ada, path: Self.path(number), body: Self.template)
            let again = try await scene.register(as: scene.ada)
            #expect(again.endpoint == number && again.json["endpoint"]?["form"] == "template", "\(again.json.text)")
            let kept = try await scene.call("showEndpointForm", as: scene.ada, path: Self.path(number))
            #expect(kept.json == Self.template, "with its template, which is sealed for this very endpoint")
            let other = try await scene.call(
                "addEndpoint", as: scene.ada,
                body: ["url": .string(scene.sink.url(path: "/hook")), "form": "standard"])
            #expect(other.endpoint == number && other.json["endpoint"]?["form"] == "standard", "\(other.json.text)")
            #expect(try await scene.ask("SELECT sealed_template IS NULL FROM endpoint") == "t")
            let formless = try await scene.call(
                "addEndpoint", as: scene.ada,
                body: ["url": .string(scene.sink.url(path: "/hook")), "template": "{{title}}"])
            #expect(formless.json["errors"]?[0]?["pointer"]?.string == "/template", "\(formless.json.text)")
        }
    }

    @Test func `what is wrong with a form is named beside its field`() async throws {
        try await PersonScene.with { scene in
            let number = try await scene.register(as: scene.ada).endpoint
            let wrong: [(JSON, String, String)] = [
                (["form": "template"], "/template", "missing"),
                (["form": "cloudEvents", "template": "x"], "/template", "unknown"),
                (["form": "standard", "templateType": "text/plain"], "/templateType", "unknown"),
                (["form": "yaml"], "/form", "not-a-choice"),
                (["form": "template", "template": "x", "templateType": "text/html"], "/templateType", "not-a-choice"),
                (["form": "template", "template": "{\n\"a\": {{titel}}}"], "/template", "template-name"),
                (["form": "template", "template": "{{#if over}}1{{/if}}"], "/template", "template-uneven"),
                (
                    ["form": "template", "template": .string(String(repeating: "é", count: 4000))], "/template",
                    "template-too-long"
                ),
            ]
            for (body, pointer, code) in wrong {
                for id in ["changeEndpointForm", "previewWebhook"] {
                    let path = id == "previewWebhook" ? [:] : Self.path(number)
                    let reply = try await scene.call(id, as: scene.ada, path: path, body: body)
                    let fault = reply.json["errors"]?[0]
                    #expect(reply.status == 422, "\(id) \(body.text): \(reply.json.text)")
                    #expect(
                        fault?["pointer"]?.string == pointer && fault?["code"]?.string == code, "\(reply.json.text)")
                }
            }
            let named = try await scene.call(
                "previewWebhook", as: scene.ada, body: ["form": "template", "template": "{\n\"a\": {{titel}}}"])
            #expect(named.json["errors"]?[0]?["params"] == ["line": 2, "name": "titel"])
            let detail = named.json["errors"]?[0]?["detail"]?.string
            #expect(
                detail?.contains("2") == true && detail?.contains("titel") == true && detail?.contains("{") == false)
            #expect(try await scene.ask("SELECT form FROM endpoint") == "standard")
        }
    }

    @Test func `a preview tells of the person's own device and stores and sends nothing`() async throws {
        try await PersonScene.with { scene in
            let before = try await scene.gateway.fingerprint()
            let preview = try await scene.call(
                "previewWebhook", as: scene.ada,
                body: [
                    "form": "template", "template": "{{device.id}} {{title}} {{value}} {{unit}} {{over}}",
                    "templateType": "text/plain",
                ])
            #expect(preview.status == 200, "\(preview.json.text)")
            #expect(preview.json["body"]?.string == "pond-1 Koi: La temperatura está alta 78.1 F false")
            #expect(preview.json["contentType"]?.string == "text/plain; charset=utf-8")
            let ended = try await scene.call(
                "previewWebhook", as: scene.bob, body: ["form": "alertmanager", "purpose": "recovery"])
            #expect(ended.json["body"]?.string?.contains(#""status":"resolved""#) == true, "\(ended.json.text)")
            #expect(ended.json["body"]?.string?.contains("\"externalURL\":\"https://water.example\"") == true)
            #expect(try await scene.gateway.fingerprint() == before && scene.sink.received.isEmpty)
        }
    }

    @Test func `only webhooks have a form`() async throws {
        try await PersonScene.with { scene in
            try await scene.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                VALUES (71, \(scene.ada.account), 'ntfy', 'https://ntfy.sh/koi', '')
                """)
            for (id, body) in [("showEndpointForm", nil), ("changeEndpointForm", ["form": "cloudEvents"])]
                as [(String, JSON?)]
            {
                #expect(try await scene.call(id, as: scene.ada, path: Self.path(71), body: body).status == 404, "\(id)")
            }
            let shown = try await scene.call("showEndpoint", as: scene.ada, path: Self.path(71))
            #expect(shown.json["form"] == .null)
        }
    }
}
