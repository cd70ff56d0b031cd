import Foundation
import PublicHTTP
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Services that bring messages: a way counts once somebody has typed the code that it brought.
@Suite struct MessagingTests {
    @Test func `a code that arrives makes a way`() async throws {
        try await PersonScene.with { scene in
            scene.sink.answer(then: .status(200))
            let sent = try await scene.sendCode(as: scene.ada)
            #expect(sent.status == 202, "\(sent.json.text)")
            let request = try #require(scene.sink.received.first)
            #expect(
                request.method == "POST" && request.path == "/" && request.header("authorization") == "Bearer tk_secret"
            )
            let added = try await scene.confirm(sent, as: scene.ada)
            #expect(added.status == 201, "\(added.json.text)")
            let item = try #require(try await scene.call("listEndpoints", as: scene.ada).json["items"]?[0])
            #expect(item["channel"]?.string == "ntfy" && item["service"]?.string == "ntfy")
            #expect(item["host"]?.string == "127.0.0.1" && item["state"]?.string == "active")
            #expect(!item.text.contains("koi-7f3a") && !item.text.contains("tk_secret"))
            #expect(try await scene.ask("SELECT target LIKE '%koi-7f3a%' FROM endpoint") == "f")
            // Given once more, it stays one.
            let again = try await scene.sendCode(as: scene.ada)
            #expect(try await scene.confirm(again, as: scene.ada).json["id"] == added.json["id"])
        }
    }

    @Test func `a wrong code makes none, and few can be tried`() async throws {
        try await PersonScene.with(challenges: BucketRate(burst: 5, interval: .seconds(3_600))) { scene in
            scene.sink.answer(then: .status(200))
            let sent = try await scene.sendCode(as: scene.ada)
            let right = try #require(try scene.code())
            let wrong = right == "000000" ? "000001" : "000000"
            var codes: [String?] = []
            for _ in 0..<8 { codes.append(try await scene.confirm(sent, as: scene.ada, code: wrong).code) }
            #expect(codes[0] == "code-wrong")
            #expect(codes.last == "too-many-challenges", "\(codes)")
            #expect(try await scene.confirm(sent, as: scene.ada).code == "too-many-challenges")
            #expect(try await scene.ask("SELECT count(*) FROM endpoint") == "0")
        }
    }

    @Test func `a proof is of use to nobody else, and changed to nobody`() async throws {
        try await PersonScene.with { scene in
            scene.sink.answer(then: .status(200))
            let sent = try await scene.sendCode(as: scene.ada)
            #expect(try await scene.confirm(sent, as: scene.bob).code == "code-expired")
            let proof = try #require(sent.json["proof"]?.string)
            let changed = (proof.hasPrefix("A") ? "B" : "A") + proof.dropFirst()
            #expect(try await scene.confirm(sent, as: scene.ada, proof: changed).code == "code-expired")
            #expect(try await scene.ask("SELECT count(*) FROM endpoint") == "0")
        }
    }

    @Test func `what another uses stays theirs`() async throws {
        try await PersonScene.with { scene in
            scene.sink.answer(then: .status(200))
            #expect(try await scene.confirm(try await scene.sendCode(as: scene.ada), as: scene.ada).status == 201)
            let taken = try await scene.confirm(try await scene.sendCode(as: scene.bob), as: scene.bob)
            #expect(taken.status == 409 && taken.code == "endpoint-taken")
            #expect(try await scene.ask("SELECT account_id FROM endpoint") == "\(scene.ada.account)")
        }
    }

    @Test(
        arguments: [
            (.status(401), "service-refused"), (.status(302, location: "http://127.0.0.1/"), "service-refused"),
            (.hang, "endpoint-unanswered"), (.close, "endpoint-unreachable"),
        ] as [(WebhookSink.Answer, String)])
    func `who does not take the message is told so`(answer: WebhookSink.Answer, code: String) async throws {
        try await PersonScene.with { scene in
            scene.sink.answer(then: answer)
            let reply = try await scene.sendCode(as: scene.ada)
            #expect(reply.status == 422 && reply.code == code, "\(reply.json.text)")
        }
    }

    @Test(
        arguments: [
            (["channel": "ntfy"], "topic"), (["channel": "ntfy", "topic": "a b"], "topic"),
            (["channel": "ntfy", "topic": "a", "server": "https://10.0.0.1/"], "server"),
            (["channel": "slack", "address": "https://10.0.0.1/x"], "address"),
            (["channel": "carrierPigeon", "topic": "a"], "channel"), (["channel": "email", "email": "ada"], "email"),
        ] as [(JSON, String)])
    func `what cannot be used is said of its field`(body: JSON, field: String) async throws {
        try await PersonScene.with(mail: .unreachable) { scene in
            let reply = try await scene.call("sendEndpointCode", as: scene.ada, body: body)
            #expect(reply.status == 422, "\(reply.json.text)")
            #expect(reply.json["errors"]?[0]?["pointer"]?.string == "/\(field)", "\(reply.json.text)")
            #expect(scene.sink.received.isEmpty)
        }
    }

    /// A telephone hears of nothing but what is critical, until its person says otherwise; registered anew it stays as they said.
    @Test(arguments: ["sms", "call"]) func `a telephone is proven by its code`(channel: String) async throws {
        try await PersonScene.with { scene in
            let provider = TelephonyProvider()
            scene.sink.answer(by: provider.answer)
            func sendCode() async throws -> (sent: PersonScene.Reply, code: String) {
                let sent = try await scene.call(
                    "sendEndpointCode", as: scene.ada,
                    body: [
                        "channel": .string(channel), "server": .string(scene.sink.url(path: "/")),
                        "account": .string(provider.account), "token": .string(provider.token),
                        "from": .string(provider.from), "to": .string(provider.to),
                    ])
                #expect(sent.status == 202, "\(sent.json.text)")
                let text =
                    switch try provider.order(try #require(scene.sink.received.last)) {
                    case .message(let text): text
                    case .call(let heard): heard.said[0].text.replacing(", ", with: "")
                    }
                return (sent, String(try #require(text.firstMatch(of: /[0-9]{6}/)).output))
            }
            let first = try await sendCode()
            let added = try await scene.confirm(first.sent, as: scene.ada, code: first.code)
            #expect(added.status == 201 && added.json["onlyUrgent"]?.bool == true, "\(added.json.text)")
            #expect(added.json["channel"]?.string == channel && added.json["host"]?.string == "127.0.0.1")
            _ = try await scene.ask("UPDATE endpoint SET only_urgent = false")
            let second = try await sendCode()
            let again = try await scene.confirm(second.sent, as: scene.ada, code: second.code)
            #expect(again.json["id"] == added.json["id"] && again.json["onlyUrgent"]?.bool == false)
            // Whoever takes it over later begins anew.
            _ = try await scene.ask(
                "UPDATE endpoint SET account_id = \(scene.bob.account), retired_at = now(), retired_because = 'x'")
            let third = try await sendCode()
            let taken = try await scene.confirm(third.sent, as: scene.ada, code: third.code)
            #expect(taken.json["id"] == added.json["id"] && taken.json["onlyUrgent"]?.bool == true)
        }
    }

    @Test func `the services say what they need`() async throws {
        try await PersonScene.with { scene in
            let listed = try await scene.call("listMessagingServices", as: scene.ada)
            let items = try #require(listed.json["items"]?.array)
            #expect(
                items.map { $0["channel"]?.string }
                    == ["ntfy", "telegram", "matrix", "slack", "gotify", "pushover", "sms", "call"])
            #expect(items[0]["fields"]?[1]?["standard"]?.string == "https://ntfy.sh")
        }
    }
}

extension PersonScene {
    fileprivate func sendCode(as person: Person) async throws -> Reply {
        try await call(
            "sendEndpointCode", as: person,
            body: [
                "channel": "ntfy", "server": .string(sink.url(path: "/")), "topic": "koi-7f3a", "token": "tk_secret",
            ])
    }

    /// The code in the last message that came.
    fileprivate func code() throws -> String? {
        let body = try #require(sink.received.last?.body)
        return try JSON(reading: body)["title"]?.string?.firstMatch(of: /[0-9]{6}/).map { String($0.output) }
    }

    fileprivate func confirm(
        _ sent: Reply, as person: Person, proof: String? = nil, code: String? = nil
    ) async throws -> Reply {
        let known = try #require(try code ?? self.code())
        let given = try #require(proof ?? sent.json["proof"]?.string)
        return try await call(
            "addMessagingEndpoint", as: person, body: ["proof": .string(given), "code": .string(known)])
    }
}
