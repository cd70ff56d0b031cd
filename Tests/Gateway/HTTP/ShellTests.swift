import NIOHTTP1
import PublicHTTP
import Routes
import ServiceKit
import TestSupport
import Testing

@testable import Gateway

@Suite struct ShellTests {
    @Test func whoAsksTooMuchIsToldWhenToComeBack() async throws {
        let adjust = GatewayUnderTest.adjusting {
            $0.settings.rates[.ordinary] = GatewaySettings.Rates("ordinary", caller: 2, address: 5)
        }
        try await GatewayUnderTest.with(api: TrialAPI().make(), adjust) { gateway in
            let anna = try await gateway.person()
            let path = "/api/v1/account"
            let first = try await gateway.request(.GET, path, anna)
            #expect(first[header: "RateLimit-Policy"] == #""ordinary";q=2;w=60"#)
            #expect(first[header: "RateLimit"]?.hasPrefix(#""ordinary";r=1;t="#) == true)
            #expect(try await gateway.request(.GET, path, anna).status == 200)
            let refused = try await gateway.request(.GET, path, anna)
            #expect(refused.status == 429)
            #expect(refused.code == "too-many-requests")
            #expect(refused[header: "Retry-After"].flatMap { Int($0) }.map { (1...60).contains($0) } == true)
            // A second person at the same address has a bucket of their own, until the address's is empty.
            let ben = try await gateway.person("ben@example.com")
            #expect(try await gateway.request(.GET, path, ben).status == 200)
            #expect(try await gateway.request(.GET, "/api/v1/named/a").status == 200)
            #expect(try await gateway.request(.GET, "/api/v1/named/a").status == 429)
            #expect(gateway.metrics.render().contains(#"aqua_gateway_rate_limited_total{scope="caller"} 1"#))
        }
    }

    @Test func onlyATrustedProxySaysWhoTheClientIs() async throws {
        let forwarded: HTTPHeaders = ["X-Forwarded-For": "10.0.0.1, 203.0.113.7", "X-Request-Id": "from-the-proxy"]
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let reply = try await gateway.request(.GET, "/api/v1/echo", headers: forwarded)
            #expect(reply.json?["text"]?.string == "127.0.0.1/32 ")
            #expect(reply[header: "X-Request-Id"] != "from-the-proxy")
        }
        let proxies = try #require(TrustedProxies("127.0.0.0/8"))
        let adjust = GatewayUnderTest.adjusting { $0.proxies = proxies }
        try await GatewayUnderTest.with(api: TrialAPI().make(), adjust) { gateway in
            let reply = try await gateway.request(.GET, "/api/v1/echo", headers: forwarded)
            #expect(reply.json?["text"]?.string == "203.0.113.7/32 ")
            #expect(reply[header: "X-Request-Id"] == "from-the-proxy")
        }
    }

    @Test func aRepeatedCreationCreatesOnceAndAnswersTheSame() async throws {
        let trial = TrialAPI()
        try await GatewayUnderTest.with(api: trial.make()) { gateway in
            let (anna, ben) = (
                try await gateway.person("anna@example.com"), try await gateway.person("ben@example.com")
            )
            let key: HTTPHeaders = ["Idempotency-Key": "3f2b"]
            let first = try await gateway.request(.POST, "/api/v1/things", anna, json: ["text": "a"], headers: key)
            let again = try await gateway.request(.POST, "/api/v1/things", anna, json: ["text": "a"], headers: key)
            #expect(first.status == 201)
            #expect(again.status == 201)
            #expect(again.body == first.body)
            #expect(again[header: "Location"] == first[header: "Location"])
            #expect(again[header: "Idempotent-Replayed"] == "true")
            #expect(trial.created.value == 1)
            let other = try await gateway.request(.POST, "/api/v1/things", anna, json: ["text": "b"], headers: key)
            #expect(other.status == 422)
            #expect(other.code == "idempotency-key-reused")
            // The key belongs to one person.
            let bens = try await gateway.request(.POST, "/api/v1/things", ben, json: ["text": "b"], headers: key)
            #expect(bens.status == 201)
            #expect(
                try await gateway.ask(
                    "SELECT count(*) FROM idempotency_key WHERE position('a 1'::bytea IN sealed_answer) > 0")
                    == "0")
        }
    }

    @Test func aRefusedCreationLeavesItsKeyFree() async throws {
        let trial = TrialAPI()
        try await GatewayUnderTest.with(api: trial.make()) { gateway in
            let anna = try await gateway.person()
            for _ in 1...2 {
                let reply = try await gateway.request(
                    .POST, "/api/v1/things", anna, json: ["text": "bad"], headers: ["Idempotency-Key": "k"])
                #expect(reply.status == 409)
                #expect(reply.code == "conflict")
            }
            #expect(trial.created.value == 2)
        }
    }

    @Test func aCreationWhoseAnswerWasLostIsNotRepeated() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let anna = try await gateway.person()
            func create() async throws -> GatewayUnderTest.Reply {
                try await gateway.request(
                    .POST, "/api/v1/things", anna, json: ["text": "dying"], headers: ["Idempotency-Key": "k"])
            }
            #expect(try await create().status == 500)
            let again = try await create()
            #expect(again.status == 201)
            #expect(again.json?["text"]?.string == "dying 1")
            #expect(again[header: "Location"] == "/api/v1/things/1")
            #expect(again[header: "Idempotent-Replayed"] == "true")
            #expect(try await gateway.ask("SELECT count(*) FROM personal_token") == "1")
        }
    }

    @Test func aCreationWhoseClaimIsGoneIsUndone() async throws {
        let trial = TrialAPI()
        try await GatewayUnderTest.with(api: trial.make()) { gateway in
            let anna = try await gateway.person()
            async let slow = gateway.request(
                .POST, "/api/v1/things", anna, json: ["text": "slow"], headers: ["Idempotency-Key": "k"])
            await trial.begun.wait()
            // Deletes the claim, as a repeat does after a minute.
            try await gateway.database.sql("DELETE FROM idempotency_key")
            trial.gate.open()
            let reply = try await slow
            #expect(reply.status == 409)
            #expect(reply.code == "idempotency-in-progress")
            #expect(trial.created.value == 1)
            #expect(try await gateway.ask("SELECT count(*) FROM personal_token") == "0")
        }
    }

    @Test func eachRequestIsOneLineOfTheLog() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let reply = try await gateway.request(.GET, "/api/v1/named/private-word?token=secret")
            #expect(reply.status == 422)
            let line = try await gateway.log.line("the request") { $0.message == "Answered" }
            #expect(line["request.id"] == reply[header: "X-Request-Id"])
            #expect(line["method"] == "GET")
            #expect(line["route"] == "named")
            #expect(line["status.code"] == "422")
            #expect(!gateway.log.lines.contains { "\($0.metadata)".contains("private-word") })
            #expect(!gateway.log.lines.contains { "\($0.metadata)".contains("secret") })
            #expect(
                gateway.metrics.render().contains(#"aqua_gateway_requests_total{route="named",status="4xx"} 1"#))
        }
    }

    @Test func withoutTheDatabaseTheAnswerSaysLater() async throws {
        try await TestCluster.with { cluster in
            try await GatewayUnderTest.with(api: TrialAPI().make(), server: cluster.database) { gateway in
                let anna = try await gateway.person()
                try await cluster.halt(.database)
                let reply = try await awaitFact("an answer without the database") {
                    let reply = try await gateway.request(.GET, "/api/v1/account", anna)
                    return reply.status == 503 ? reply : nil
                }
                #expect(reply.code == "unavailable")
                #expect(reply[header: "Retry-After"] != nil)
                #expect(try await gateway.request(.GET, "/api/v1/named/a").status == 200)
                try await cluster.resume(.database)
                try await awaitFact("an answer with the database") {
                    try await gateway.request(.GET, "/api/v1/account", anna).status == 200 ? true : nil
                }
            }
        }
    }
}
