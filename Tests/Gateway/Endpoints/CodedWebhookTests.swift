import Foundation
import PublicHTTP
import Routes
import Secrets
import TestSupport
import Testing

@testable import Gateway

/// Webhooks whose receivers answer no challenge: they count once somebody has typed the code that they showed.
@Suite struct CodedWebhookTests {
    /// Receivers of others, each with where it shows what it is sent. They answer as theirs do, never with our challenge.
    private static let receivers: [(JSON, @Sendable (JSON) -> String?)] = [
        (["form": "alertmanager"], { $0["alerts"]?[0]?["annotations"]?["summary"]?.string }),
        (["form": "cloudEvents"], { $0["data"]?["title"]?.string }),
        (["form": "template", "template": "{\"msg\": {{title}}}"], { $0["msg"]?.string }),
    ]

    @Test(arguments: receivers.indices)
    func `a code that a receiver shows makes a webhook of its form`(index: Int) async throws {
        let (form, shown) = Self.receivers[index]
        try await PersonScene.with { scene in
            scene.sink.answer(then: .status(202))
            let sent = try await scene.sendCode(form, as: scene.ada)
            #expect(sent.status == 202, "\(sent.json.text)")
            #expect(try await scene.ask("SELECT count(*) FROM endpoint") == "0")
            let request = try #require(scene.sink.received.last)
            let title = try #require(shown(try JSON(reading: request.body)))
            let code = try #require(title.firstMatch(of: /[0-9]{6}/))
            let added = try await scene.confirm(sent, String(code.output), as: scene.ada)
            #expect(added.status == 201, "\(added.json.text)")
            #expect(added[header: "location"] == "/api/v1/endpoints/\(added.endpoint)")
            #expect(added.json["endpoint"]?["form"] == form["form"])
            #expect(added.json["endpoint"]?["channel"]?.string == "webhook")
            // The code's message was signed by the secret that is told now, as all later ones are.
            let secret = try #require(added.json["secret"]?.string.flatMap { WebhookSecret($0) })
            let verdict = secret.verify(
                id: request.header("webhook-id"), timestamp: request.header("webhook-timestamp"),
                signatures: request.header("webhook-signature"), body: request.body,
                now: Int64(Date.now.timeIntervalSince1970))
            #expect(verdict == .valid)
            let kept = try await scene.call(
                "showEndpointForm", as: scene.ada, path: ["endpoint": "\(added.endpoint)"])
            #expect(kept.json["template"] == form["template"] ?? .null)
            // Once more, it stays one.
            let again = try await scene.sendCode(form, as: scene.ada)
            #expect(try await scene.confirm(again, try scene.code(), as: scene.ada).endpoint == added.endpoint)
        }
    }

    @Test func `the challenge is sent in no form of others, and the code in none of ours`() async throws {
        try await PersonScene.with { scene in
            scene.sink.answer(then: .status(200))
            let url = JSON.string(scene.sink.url(path: "/bridge"))
            let challenged = try await scene.call(
                "addEndpoint", as: scene.ada, body: ["url": url, "form": "alertmanager"])
            #expect(challenged.code == "endpoint-unproven")
            let before = scene.sink.received.count
            let own = try await scene.call("sendWebhookCode", as: scene.ada, body: ["url": url, "form": "standard"])
            #expect(own.json["errors"]?[0]?["pointer"]?.string == "/form", "\(own.json.text)")
            let bare = try await scene.call("sendWebhookCode", as: scene.ada, body: ["url": url])
            #expect(bare.status == 422 && scene.sink.received.count == before)
        }
    }

    @Test func `few codes are sent for a person, and few are tried`() async throws {
        try await PersonScene.with(challenges: BucketRate(burst: 4, interval: .seconds(3_600))) { scene in
            scene.sink.answer(then: .status(200))
            let sent = try await scene.sendCode(as: scene.ada)
            let right = try scene.code()
            let wrong = right == "000000" ? "000001" : "000000"
            #expect(try await scene.confirm(sent, wrong, as: scene.ada).code == "code-wrong")
            #expect(try await scene.sendCode(as: scene.ada).status == 202)
            #expect(try await scene.confirm(sent, wrong, as: scene.ada).code == "code-wrong")
            #expect(try await scene.confirm(sent, right, as: scene.ada).code == "too-many-challenges")
            let count = scene.sink.received.count
            #expect(try await scene.sendCode(as: scene.ada).code == "too-many-challenges")
            #expect(scene.sink.received.count == count)
            #expect(try await scene.ask("SELECT count(*) FROM endpoint") == "0")
        }
    }

    @Test func `a proof is of use to nobody else, for no other sort of ways, and not when it is over`() async throws {
        try await PersonScene.with { scene in
            scene.sink.answer(then: .status(200))
            let sent = try await scene.sendCode(as: scene.ada)
            let code = try scene.code()
            #expect(try await scene.confirm(sent, code, as: scene.bob).code == "code-expired")
            let proof = try #require(sent.json["proof"]?.string)
            let service = try await scene.call(
                "addMessagingEndpoint", as: scene.ada, body: ["proof": .string(proof), "code": .string(code)])
            #expect(service.code == "code-expired")
            let ntfy = try await scene.call(
                "sendEndpointCode", as: scene.ada,
                body: ["channel": "ntfy", "server": .string(scene.sink.url(path: "/")), "topic": "koi"])
            #expect(try await scene.confirm(ntfy, try scene.code(), as: scene.ada).code == "code-expired")
            #expect(try await scene.ask("SELECT count(*) FROM endpoint") == "0")
        }
    }

    @Test func `what another uses stays theirs`() async throws {
        try await PersonScene.with { scene in
            scene.sink.answer(then: .status(200))
            let sent = try await scene.sendCode(as: scene.ada)
            #expect(try await scene.confirm(sent, try scene.code(), as: scene.ada).status == 201)
            let theirs = try await scene.sendCode(as: scene.bob)
            let taken = try await scene.confirm(theirs, try scene.code(), as: scene.bob)
            #expect(taken.status == 409 && taken.code == "endpoint-taken")
            #expect(try await scene.ask("SELECT account_id FROM endpoint") == "\(scene.ada.account)")
        }
    }

    @Test(
        arguments: [
            (.status(400), "service-refused"), (.status(302, location: "http://127.0.0.1/"), "service-refused"),
            (.hang, "endpoint-unanswered"), (.close, "endpoint-unreachable"),
        ] as [(WebhookSink.Answer, String)])
    func `who does not take the message is told so, and nothing is followed`(
        answer: WebhookSink.Answer, code: String
    ) async throws {
        try await PersonScene.with { scene in
            scene.sink.answer(then: answer)
            let reply = try await scene.sendCode(as: scene.ada)
            #expect(reply.status == 422 && reply.code == code, "\(reply.json.text)")
            #expect(reply.json["proof"] == nil && scene.sink.received.count <= 1)
        }
    }

    @Test(
        arguments: [
            (["url": "https://10.0.0.1/", "form": "alertmanager"], "/url", "target-private"),
            (["url": "ftp://bridge.example.org/", "form": "alertmanager"], "/url", "target-not-encrypted"),
            (
                ["form": "template", "template": "{{value}}", "templateType": "text/plain"], "/template",
                "template-codeless"
            ),
            (["form": "template", "template": "{{titel}}"], "/template", "template-name"),
            (["form": "template"], "/template", "missing"),
        ] as [(JSON, String, String)])
    func `what could not be proven is refused before anything is sent`(
        body: JSON, pointer: String, code: String
    ) async throws {
        try await PersonScene.with { scene in
            let reply = try await scene.sendCode(body, as: scene.ada)
            let fault = reply.json["errors"]?[0]
            #expect(reply.status == 422, "\(reply.json.text)")
            #expect(fault?["pointer"]?.string == pointer && fault?["code"]?.string == code, "\(reply.json.text)")
            #expect(scene.sink.received.isEmpty)
        }
    }

    @Test func `the longest template comes back with its proof`() async throws {
        try await PersonScene.with { scene in
            scene.sink.answer(then: .status(200))
            // Each quote takes two bytes in JSON.
            let template = "{{title}}" + String(repeating: "\"", count: 4087)
            let form: JSON = ["form": "template", "template": .string(template), "templateType": "text/plain"]
            let sent = try await scene.sendCode(form, as: scene.ada)
            #expect(sent.status == 202, "\(sent.json.text)")
            let added = try await scene.confirm(sent, try scene.code(), as: scene.ada)
            #expect(added.status == 201, "\(added.json.text)")
        }
    }
}

extension PersonScene {
    /// - Parameter form: What is given beside the sink's address, or in place of it.
    fileprivate func sendCode(_ form: JSON = ["form": "alertmanager"], as person: Person) async throws -> Reply {
        guard case .object(var members) = form else { preconditionFailure("A form is an object.") }
        if form["url"] == nil { members.append(.init("url", .string(sink.url(path: "/bridge")))) }
        return try await call("sendWebhookCode", as: person, body: .object(members))
    }

    /// The code in the last message that came.
    fileprivate func code() throws -> String {
        let body = String(decoding: try #require(sink.received.last?.body), as: UTF8.self)
        // Ids and times have longer numbers, and no blank behind them.
        let found = try #require(body.firstMatch(of: #/(?:^|[^0-9a-f.])([0-9]{6}) /#))
        return String(found.output.1)
    }

    fileprivate func confirm(_ sent: Reply, _ code: String, as person: Person) async throws -> Reply {
        let proof = try #require(sent.json["proof"]?.string)
        return try await call("addCodedWebhook", as: person, body: ["proof": .string(proof), "code": .string(code)])
    }
}
