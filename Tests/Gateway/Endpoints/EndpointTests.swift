import Foundation
import HTTPTypes
import Routes
import Secrets
import Store
import TestSupport
import Testing

@testable import Gateway

@Suite struct EndpointTests {
    @Test func `a webhook is registered by its challenge, and its secret is shown once`() async throws {
        try await PersonScene.with { scene in
            let added = try await scene.register(as: scene.ada)
            #expect(added.status == 201, "\(added.json.text)")
            let number = added.endpoint
            #expect(added[header: "location"] == "/api/v1/endpoints/\(number)")
            let secret = try #require(added.json["secret"]?.string.flatMap { WebhookSecret($0) })
            let request = try #require(scene.sink.received.first)
            let verdict = secret.verify(
                id: request.header("webhook-id"), timestamp: request.header("webhook-timestamp"),
                signatures: request.header("webhook-signature"), body: request.body,
                now: Int64(Date.now.timeIntervalSince1970))
            #expect(verdict == .valid)

            let listed = try await scene.call("listEndpoints", as: scene.ada)
            let item = try #require(listed.json["items"]?[0])
            #expect(item["id"]?.integer == number)
            #expect(item["host"]?.string == "127.0.0.1" && item["state"]?.string == "active")
            #expect(!listed.json.text.contains("/hook") && !listed.json.text.contains("whsec_"))
            // Signing out on the session's client pauses the endpoint.
            #expect(try await scene.ask("SELECT client_id IS NOT NULL FROM endpoint") == "t")
        }
    }

    @Test(
        arguments: [
            (.status(200), "endpoint-unproven"), (.status(302, location: "http://127.0.0.1/"), "endpoint-unproven"),
            (.flood(bytes: 10_485_760), "endpoint-unproven"), (.close, "endpoint-unanswered"),
            (.hang, "endpoint-unanswered"), (.stall, "endpoint-unanswered"),
        ] as [(WebhookSink.Answer, String)])
    func `who does not meet the challenge is not registered`(answer: WebhookSink.Answer, code: String) async throws {
        try await PersonScene.with { scene in
            scene.sink.answer(then: answer)
            let reply = try await scene.register(as: scene.ada)
            #expect(reply.status == 422 && reply.code == code, "\(reply.json.text)")
            #expect(try await scene.ask("SELECT count(*) FROM endpoint") == "0")
        }
    }

    @Test(
        arguments: [
            ("ftp://example.org/", "target-not-encrypted"), ("https://alerts.example.org:99999/", "target-not-url"),
            ("https://u:p@example.org/", "target-credentials"), ("https://10.0.0.1/", "target-private"),
            ("hello", "target-not-url"),
        ])
    func `an address that must not be called is refused at once`(url: String, code: String) async throws {
        try await PersonScene.with { scene in
            let reply = try await scene.call("addEndpoint", as: scene.ada, body: ["url": .string(url)])
            #expect(reply.status == 422 && reply.json["errors"]?[0]?["code"]?.string == code, "\(reply.json.text)")
            #expect(try await scene.ask("SELECT count(*) FROM endpoint") == "0")
        }
    }

    /// A newer version beside this one has registered it.
    @Test func `a channel that only a newer version knows is listed, and can be removed`() async throws {
        try await PersonScene.with { scene in
            let known = try await scene.register(as: scene.ada).endpoint
            try await scene.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                VALUES (\(known + 1), \(scene.ada.account), 'pigeon', 'https://pigeon.example.org/koi', '')
                """)
            let listed = try await scene.call("listEndpoints", as: scene.ada)
            let items = try #require(listed.json["items"]?.array, "\(listed.json.text)")
            #expect(items.map { $0["channel"]?.string } == ["webhook", "pigeon"])
            #expect(items[1]["host"]?.string == "pigeon.example.org")
            let path = ["endpoint": "\(known + 1)"]
            #expect(try await scene.call("rotateEndpointSecret", as: scene.ada, path: path, body: [:]).status == 404)
            #expect(try await scene.call("removeEndpoint", as: scene.ada, path: path).status == 204)
            #expect(try await scene.call("listEndpoints", as: scene.ada).json["items"]?.array?.count == 1)
        }
    }

    @Test func `an address in use stays whose it is, and only who proves to have it is told`() async throws {
        try await PersonScene.with { scene in
            #expect(try await scene.register(as: scene.ada).status == 201)
            let taken = try await scene.register(as: scene.bob)
            #expect(taken.status == 409 && taken.code == "endpoint-taken")
            #expect(!taken.json.text.contains("ada"))
            scene.sink.answer(then: .status(200))
            #expect(try await scene.register(as: scene.bob).code == "endpoint-unproven")
            #expect(try await scene.ask("SELECT account_id FROM endpoint") == "\(scene.ada.account)")
            // After its removal the address is free.
            scene.sink.answer(then: .challenge)
            let number = try await scene.ask("SELECT endpoint_id FROM endpoint")
            #expect(try await scene.call("removeEndpoint", as: scene.ada, path: ["endpoint": number]).status == 204)
            #expect(try await scene.register(as: scene.bob).status == 201)
            #expect(try await scene.ask("SELECT account_id FROM endpoint") == "\(scene.bob.account)")
        }
    }

    @Test func `another person's endpoint is not there`() async throws {
        try await PersonScene.with { scene in
            let number = "\(try await scene.register(as: scene.ada).endpoint)"
            let before = try await scene.ask("SELECT endpoint::text FROM endpoint")
            let routes = GatewayAPI.make().routes.filter { $0.path.parameters == ["endpoint"] }
            #expect(routes.count >= 7, "\(routes.map(\.id))")
            for route in routes {
                let body: JSON? =
                    switch route.id {
                    case "changeEndpointForm": ["form": "template", "template": "{\"text\": {{title}}}"]
                    case "changeEndpoint": ["onlyUrgent": true]
                    default: route.method == .post || route.method == .patch ? [:] : nil
                    }
                let reply = try await scene.call(route.id, as: scene.bob, path: ["endpoint": number], body: body)
                #expect(reply.status == 404 && reply.code == "not-found", "\(route.id): \(reply.json.text)")
            }
            let test = try await scene.call(
                "sendTestAlert", as: scene.bob, body: ["endpoint": .integer(try #require(Int64(number)))])
            #expect(test.status == 404)
            #expect(try await scene.call("listEndpoints", as: scene.bob).json["items"]?.array?.isEmpty == true)
            #expect(try await scene.ask("SELECT endpoint::text FROM endpoint") == before)
            #expect(try await scene.ask("SELECT count(*) FROM alert") == "0")
        }
    }

    @Test func `a person has twenty, and may register each of them again`() async throws {
        try await PersonScene.with { scene in
            try await scene.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                SELECT nextval('endpoint_id'), \(scene.ada.account), 'webhook', 'https://example.org/' || n, ''
                FROM generate_series(1, 19) n
                """)
            #expect(try await scene.register(as: scene.ada).status == 201)
            let more = try await scene.register("/other", as: scene.ada)
            #expect(more.status == 409 && more.code == "too-many-endpoints")
            #expect(scene.sink.received.count == 1, "a challenge was sent for nothing")
            #expect(try await scene.register(as: scene.ada).status == 201)
        }
    }

    /// An address leads to a person's receiver, and anybody who knows it can send there.
    @Test func `what the database holds of an address is its host, and it is known again`() async throws {
        try await PersonScene.with { scene in
            let added = try await scene.register(as: scene.ada)
            let stored = try await scene.ask("SELECT endpoint::text FROM endpoint")
            #expect(!stored.contains("/hook") && stored.contains("127.0.0.1"))
            #expect(
                try await scene.ask("SELECT bool_or(e::text LIKE '%/hook%') FROM account_event e") != "t")
            #expect(try await scene.register(as: scene.ada).endpoint == added.endpoint)
            #expect(try await scene.register(as: scene.bob).code == "endpoint-taken")
        }
    }

    @Test func `an address that the version before stored in clear is known, and sealed when it is registered anew`()
        async throws
    {
        try await PersonScene.with { scene in
            try await scene.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                VALUES (nextval('endpoint_id'), \(scene.ada.account), 'webhook', '\(scene.sink.url(path: "/hook"))', '\\x01')
                """)
            #expect(try await scene.register(as: scene.bob).code == "endpoint-taken")
            #expect(try await scene.ask("SELECT target LIKE '%/hook' FROM endpoint") == "t")
            #expect(try await scene.register(as: scene.ada).status == 201)
            #expect(try await scene.ask("SELECT count(*), bool_or(target LIKE '%hook%') FROM endpoint") == "1|f")
        }
    }

    @Test func `a changed secret signs beside the former one, which stays known`() async throws {
        try await PersonScene.with { scene in
            let added = try await scene.register(as: scene.ada)
            let path = ["endpoint": "\(added.endpoint)"]
            let changed = try await scene.call(
                "rotateEndpointSecret", as: scene.ada, path: path, body: ["overlapHours": 48])
            #expect(changed.status == 200, "\(changed.json.text)")
            #expect(changed.json["secret"]?.string != added.json["secret"]?.string)
            #expect(changed.json["endpoint"]?["formerSecretUntil"]?.string != nil)
            let stored = try await scene.ask(
                """
                SELECT encode(sealed_secret, 'hex') || ' ' || encode(former_secret, 'hex') || ' '
                    || (former_until > now() + interval '47 hours') FROM endpoint
                """)
            let parts = stored.split(separator: " ").map(String.init)
            #expect(parts.last == "true")
            for (hexadecimal, reply) in zip(parts, [changed, added]) {
                let sealed = SealedSecret(stored: try bytes(hexadecimal))
                let opened = try SecretKeys(try #require(SecretKey(GatewayUnderTest.secretKey))).openEndpoint(
                    sealed, channel: "webhook", number: added.endpoint
                ).endpoint
                #expect(WebhookSecret(bytes: opened.secret)?.text == reply.json["secret"]?.string)
                #expect(opened.address == (reply.json == changed.json ? scene.sink.url(path: "/hook") : nil))
            }
        }
    }

    private func bytes(_ hexadecimal: String) throws -> [UInt8] {
        let digits = Array(hexadecimal)
        return try stride(from: 0, to: digits.count, by: 2).map {
            try #require(UInt8(String(digits[$0...($0 + 1)]), radix: 16))
        }
    }

    @Test func `a secret that the receiver knows in advance signs the challenge`() async throws {
        try await PersonScene.with { scene in
            let secret = WebhookSecret.generate()
            let added = try await scene.call(
                "addEndpoint", as: scene.ada,
                body: ["url": .string(scene.sink.url()), "secret": .string(secret.text)])
            #expect(added.status == 201 && added.json["secret"]?.string == secret.text)
            let request = try #require(scene.sink.received.first)
            #expect(
                secret.verify(
                    id: request.header("webhook-id"), timestamp: request.header("webhook-timestamp"),
                    signatures: request.header("webhook-signature"), body: request.body,
                    now: Int64(Date.now.timeIntervalSince1970)) == .valid)
        }
    }

    @Test func `an endpoint says since when it gets nothing`() async throws {
        try await PersonScene.with { scene in
            let number = try await scene.register(as: scene.ada).endpoint
            func state() async throws -> JSON {
                try await scene.call("showEndpoint", as: scene.ada, path: ["endpoint": "\(number)"]).json
            }
            try await scene.database.sql(
                """
                UPDATE endpoint SET created_at = '2026-01-01';
                INSERT INTO alert (slot, account_id, alert_id, kind, purpose, opened_at, event_time, decided_at, state)
                SELECT 1, \(scene.ada.account), n, 'test', 'test', now(), now(), '2026-05-01'::timestamptz + n * interval '1 h',
                    'sending' FROM generate_series(1, 3) n;
                INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
                SELECT slot, account_id, alert_id, \(number), 'failed', now(), now() FROM alert;
                INSERT INTO delivery_attempt (
                    slot, attempt, status, alert_id, endpoint_id, started_at, duration_us, outcome, detail)
                SELECT slot, 1, CASE alert_id WHEN 1 THEN 200 ELSE 500 + alert_id END, alert_id, \(number), decided_at, 1,
                    CASE alert_id WHEN 1 THEN 'accepted' ELSE 'retry' END, '' FROM alert
                """)
            let failing = try await state()
            #expect(failing["state"]?.string == "failing")
            #expect(failing["lastAcceptedAt"]?.string == "2026-05-01T01:00:00Z")
            #expect(failing["nothingSince"]?.string == "2026-05-01T02:00:00Z")
            #expect(failing["lastFailure"]?.string == "retry" && failing["lastStatus"]?.integer == 503)
            // That it was given up unsent says nothing of the receiver.
            try await scene.database.sql(
                """
                INSERT INTO delivery_attempt (
                    slot, attempt, status, alert_id, endpoint_id, started_at, duration_us, outcome, detail)
                SELECT slot, 2, NULL, alert_id, endpoint_id, now(), 0, 'refused', 'stale' FROM delivery WHERE alert_id = 3
                """)
            let givenUp = try await state()
            #expect(givenUp["lastFailure"]?.string == "retry" && givenUp["lastStatus"]?.integer == 503)
            try await scene.database.sql("UPDATE endpoint SET paused_at = '2026-05-02'")
            #expect(try await state()["state"]?.string == "paused")
            #expect(try await scene.call("sendTestAlert", as: scene.ada).code == "no-endpoint")
            try await scene.database.sql(
                "INSERT INTO endpoint_retirement SELECT 1, \(number), 1, '2026-05-03', 'the receiver answered 410 Gone'"
            )
            let gone = try await state()
            #expect(gone["state"]?.string == "gone" && gone["nothingSince"]?.string == "2026-05-03T00:00:00Z")
            // Registered again, the endpoint starts anew.
            #expect(try await scene.register(as: scene.ada).endpoint == number)
            let renewed = try await state()
            #expect(renewed["state"]?.string == "active" && renewed["nothingSince"] == .null)
        }
    }

    @Test func `tests go to one endpoint or to all, ten in ten minutes`() async throws {
        try await PersonScene.with { scene in
            let first = try await scene.register("/1", as: scene.ada).endpoint
            _ = try await scene.register("/2", as: scene.ada)
            let one = try await scene.call("sendTestAlert", as: scene.ada, body: ["endpoint": .integer(first)])
            #expect(one.status == 202, "\(one.json.text)")
            let uid = try #require(one.json["alert"]?.string)
            #expect(one[header: "location"] == "/api/v1/alerts/\(uid)")
            #expect(try await scene.ask("SELECT state FROM alert") == "sending")
            #expect(try await scene.ask("SELECT endpoint_id || state FROM delivery") == "\(first)pending")
            let shown = try await scene.call("showAlert", as: scene.ada, path: ["alert": uid])
            #expect(shown.json["deliveries"]?[0]?["endpoint"]?.integer == first, "\(shown.json.text)")
            #expect(try await scene.call("sendTestAlert", as: scene.ada).status == 202)
            #expect(try await scene.ask("SELECT count(*) FROM alert WHERE state = 'decided'") == "1")
            for _ in 3...10 { #expect(try await scene.call("sendTestAlert", as: scene.ada).status == 202) }
            let eleventh = try await scene.call("sendTestAlert", as: scene.ada)
            #expect(eleventh.status == 429 && eleventh.code == "too-many-tests")
            #expect(eleventh[header: "retry-after"] != nil)
        }
    }
}
