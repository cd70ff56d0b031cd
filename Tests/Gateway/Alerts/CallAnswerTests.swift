import Messaging
import NIOHTTP1
import Routes
import Secrets
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Alarms that are answered by a key in a call. The provider signs what it posts, by the token of the account that called.
@Suite struct CallAnswerTests {
    @Test func `a key says that somebody is on it, and again it is the same`() async throws {
        try await AnswerScene.withCalls { scene in
            let call = try await scene.call(scene.ada)
            let answered = try await scene.press("1", call)
            #expect(answered.status == 200 && answered[header: "content-type"] == "text/xml", "\(answered.text)")
            let heard = try #require(SpokenDocument(answered.text))
            #expect(heard.gather == nil && heard.said.count == 1 && heard.said[0].language == "es-ES")
            #expect(heard.said[0].text.hasPrefix("Te ocupas tú. Sin recordatorios hasta la"))
            #expect(try await scene.onIt(scene.bob).first?["name"]?.string == "ada")
            #expect(try await scene.press("1", call).text == answered.text)
            #expect(try await scene.ask("SELECT count(*) FROM snooze WHERE account_id = answered_by") == "1")
            // Who is slower is told who was faster.
            let slower = try await scene.press("1", try await scene.call(scene.bob))
            let said = try #require(SpokenDocument(slower.text)?.said.first)
            #expect(said.language == "en-US" && said.text.hasPrefix("ada is on it since"), "\(slower.text)")
        }
    }

    @Test func `another key snoozes it, and of what is over it says so`() async throws {
        try await AnswerScene.withCalls { scene in
            let call = try await scene.call(scene.bob)
            let snoozed = try #require(SpokenDocument(try await scene.press("2", call).text))
            #expect(snoozed.said[0].text.hasPrefix("Snoozed until"))
            _ = try await scene.press("2", call)
            #expect(
                try await scene.ask(
                    "SELECT count(*), bool_and(account_id = \(scene.bob.account) AND snoozed_until - set_at = interval '1 hour') FROM snooze"
                ) == "1|t")
            try await scene.close("true")
            let over = try #require(SpokenDocument(try await scene.press("1", call).text))
            #expect(over.said[0].text == "It is over.")
        }
    }

    @Test(arguments: ["7", "*", "12", ""]) func `a key without a meaning changes nothing, and another can be pressed`(
        key: String
    ) async throws {
        try await AnswerScene.withCalls { scene in
            let call = try await scene.call(scene.ada)
            let asked = try await scene.press(key, call)
            let heard = try #require(SpokenDocument(asked.text))
            #expect(heard.said[0].text.hasPrefix("Esa tecla no hace nada aquí. Pulsa 1"), "\(asked.text)")
            #expect(heard.gather?["action"] == call.address && heard.gather?["method"] == "POST")
            #expect(try await scene.ask("SELECT count(*) FROM snooze") == "0")
            #expect(try await scene.press("1", call).status == 200)
        }
    }

    @Test func `what the account has not signed is refused`() async throws {
        try await AnswerScene.withCalls { scene in
            let (hers, his) = (try await scene.call(scene.ada), try await scene.call(scene.bob))
            #expect(try await scene.press("1", hers, signature: nil).status == 403)
            for signature in ["", "x", "AAAA", "RSOYDt4T1cUTdK1PDd93/VVr8B8="] {
                #expect(try await scene.press("1", hers, signature: signature).code == "forbidden", "\(signature)")
            }
            // Bob signs with his own account, for his call, or another key.
            #expect(try await scene.press("1", hers, by: his.token).status == 403)
            #expect(try await scene.press("1", hers, signature: hers.signature(of: his.address, "1")).status == 403)
            #expect(try await scene.press("1", hers, signature: hers.signature(of: hers.address, "2")).status == 403)
            // Fields of the provider's own are signed with it.
            let added = try await scene.press("1", hers, signature: hers.signature(of: hers.address, "1"), more: "&x=1")
            #expect(added.status == 403)
            // An endpoint of his named in the link of her alarm is none of hers.
            let mixed = try await scene.call(scene.ada, endpoint: his.endpoint, token: his.token)
            #expect(try await scene.press("1", mixed).status == 403)
            _ = try await scene.people.call(
                "removeEndpoint", as: scene.ada, path: ["endpoint": "\(hers.endpoint)"])
            #expect(try await scene.press("1", hers).status == 403, "she has removed it")
            #expect(try await scene.ask("SELECT count(*) FROM snooze") == "0")
        }
    }

    @Test func `a link that was made up, is for another use or too old is of no use`() async throws {
        try await AnswerScene.withCalls { scene in
            let call = try await scene.call(scene.ada)
            let token = try await scene.token(scene.ada)
            let other = try #require(SecretKey(String(repeating: "6b", count: 32)))
            for link in [
                "x", try CallLink(answerToken: token, endpoint: call.endpoint).text(sealedWith: other),
                try SealedLink.answer.text(of: token, sealedWith: AnswerScene.key),
                try SealedLink.answer.text(of: "\(call.endpoint)@\(token)", sealedWith: AnswerScene.key),
                try CallLink(answerToken: "0-1-0-ab", endpoint: call.endpoint).text(sealedWith: AnswerScene.key),
            ] {
                let forged = AnswerScene.Call(link: link, endpoint: call.endpoint, token: call.token)
                #expect(try await scene.press("1", forged).status == 404, "\(link)")
            }
            // A call's link answers nothing without a signature elsewhere.
            #expect(try await scene.say("onIt", call.link).status == 404)
            let old = try await scene.call(scene.ada, until: "now() - interval '1 second'")
            #expect(try await scene.press("1", old).code == "link-expired")
            #expect(try await scene.ask("SELECT count(*) FROM snooze") == "0")
        }
    }

    @Test func `other bodies are refused`() async throws {
        try await AnswerScene.withCalls { scene in
            let call = try await scene.call(scene.ada)
            let path = "/api/v1/call-answers/\(call.link)"
            let gateway = scene.people.gateway
            let signed: HTTPHeaders = ["X-Twilio-Signature": call.signature(of: call.address, "1")]
            #expect(try await gateway.request(.POST, path, body: Array("Digits=1".utf8), headers: signed).status == 415)
            let form: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
            for (body, status) in [
                ("Digits=1&Digits=2", 422), ("Digits=%zz", 422), ("Digits=abc", 422), ("x=%zz&Digits=1", 400),
                (String(repeating: "x=1&", count: 16_385), 413),
            ] {
                let reply = try await gateway.request(.POST, path, body: Array(body.utf8), headers: form)
                #expect(reply.status == status, "\(body.prefix(20)): \(reply.text)")
            }
            #expect(try await gateway.request(.GET, path).status == 405)
        }
    }
}

extension AnswerScene {
    /// A call that was made to a person's endpoint.
    struct Call: Sendable {
        let link: String
        let endpoint: Int64
        /// The token of the account that called.
        let token: String

        var address: String { "https://water.example/api/v1/call-answers/\(link)" }

        func signature(of address: String, _ key: String) -> String {
            CallbackSignature(of: address, fields: CallAnswerTests.fields + [(name: "Digits", value: key)])
                .text(by: token)
        }
    }

    /// Ada and Bob are called by accounts of their own.
    fileprivate static func withCalls(_ body: @Sendable @escaping (AnswerScene) async throws -> Void) async throws {
        try await with { scene in
            for (number, person) in [(71, scene.ada), (72, scene.bob)] {
                let values: ServiceValues = [
                    .account: "AC-\(number)", .token: "auth-token-\(number)", .from: "+15550100200",
                    .to: "+155501003\(number)",
                ]
                let service = try #require(MessagingServices[channel: .call]).checked(values)
                let sealed = try SealedSecret.seal(
                    EndpointSecret(address: service.identity, secret: try values.stored()), with: key, channel: "call",
                    number: Int64(number))
                let hexadecimal = sealed.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                try await scene.database(
                    """
                    INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                    VALUES (\(number), \(person.account), 'call', '\(service.identity)', '\\x\(hexadecimal)')
                    """)
            }
            try await body(scene)
        }
    }

    /// - Parameters:
    ///   - endpoint: Their own where it is not given, with its account's token.
    ///   - until: When the link's time ends.
    fileprivate func call(
        _ person: PersonScene.Person, endpoint: Int64? = nil, token: String? = nil, until: String? = nil
    ) async throws -> Call {
        let own: Int64 = person.account == ada.account ? 71 : 72
        let answerToken = try await self.token(person, until: until)
        return Call(
            link: try CallLink(answerToken: answerToken, endpoint: endpoint ?? own).text(sealedWith: Self.key),
            endpoint: endpoint ?? own, token: token ?? "auth-token-\(own)")
    }

    fileprivate func press(_ key: String, _ call: Call, by token: String? = nil) async throws -> GatewayUnderTest.Reply
    {
        let signing = Call(link: call.link, endpoint: call.endpoint, token: token ?? call.token)
        return try await press(key, call, signature: signing.signature(of: call.address, key))
    }

    fileprivate func press(
        _ key: String, _ call: Call, signature: String?, more: String = ""
    ) async throws -> GatewayUnderTest.Reply {
        var headers: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded; charset=UTF-8"]
        if let signature { headers.add(name: "X-Twilio-Signature", value: signature) }
        let form = CallAnswerTests.form + "&Digits=\(key)\(more)"
        return try await people.gateway.request(
            .POST, "/api/v1/call-answers/\(call.link)", body: Array(form.utf8), headers: headers)
    }
}

extension CallAnswerTests {
    /// What a provider posts beside the key.
    static let form = "CallSid=CA7&From=%2B15550100200&CallerCity=K%C5%8Dbe+%26+more&CallerState="
    static let fields = [
        ("CallSid", "CA7"), ("From", "+15550100200"), ("CallerCity", "Kōbe & more"), ("CallerState", ""),
    ].map { (name: $0.0, value: $0.1) }
}
