import HTTPTypes
import Logging
import NIOHTTP1
import Routes
import TestSupport
import Testing
import Words

@testable import Gateway

@Suite struct RoutingTests {
    @Test func aRouteAnswersWhatItsHandlerSays() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let reply = try await gateway.request(.POST, "/api/v1/echo", json: ["text": "水"])
            #expect(reply.status == 200)
            #expect(reply.json?["text"]?.string == "水")
            #expect(reply[header: "Content-Type"] == "application/json")
        }
    }

    @Test func anotherMethodIsNotAllowedAndTheAnswerSaysWhichAre() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let reply = try await gateway.request(.DELETE, "/api/v1/echo")
            #expect(reply.status == 405)
            #expect(reply[header: "Allow"] == "GET, HEAD, OPTIONS, POST")
            #expect(reply.code == "method-not-allowed")
            let options = try await gateway.request(.OPTIONS, "/api/v1/echo")
            #expect(options.status == 204)
            #expect(options[header: "Allow"] == "GET, HEAD, OPTIONS, POST")
            #expect(options[header: "Access-Control-Allow-Origin"] == nil)
        }
    }

    @Test func headAnswersLikeGetWithoutTheBody() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let get = try await gateway.request(.GET, "/api/v1/named/a")
            let head = try await gateway.request(.HEAD, "/api/v1/named/a")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head[header: "Content-Length"] == "\(get.body.count)")
            let stream = try await gateway.request(.HEAD, "/api/v1/stream?many=9")
            #expect(stream.status == 200)
            #expect(stream.body.isEmpty)
        }
    }

    @Test func whatIsNotThereIsAProblemInTheLanguageThatWasAskedFor() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let reply = try await gateway.request(
                .GET, "/api/v1/nothing", headers: ["Accept-Language": "fr, ja;q=0.8, en;q=0.5"])
            #expect(reply.status == 404)
            #expect(reply[header: "Content-Type"] == "application/problem+json")
            #expect(reply[header: "Content-Language"] == "ja")
            #expect(reply.json?["title"]?.string == ProblemType.notFound.title(in: Language(locale: "ja")))
            #expect(reply.json?["requestId"]?.string == reply[header: "X-Request-Id"])
        }
    }

    @Test(arguments: ["/api/v1/named/%zz", "/api/v1/named/%ff", "/api/v1/named/", "/api/v1//echo", "/api/v1/named/a/b"])
    func aMalformedPathLeadsNowhere(path: String) async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            try await RawClient.with(gateway.port) { client in
                try await client.send("GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(try await client.rest().hasPrefix("HTTP/1.1 404 "))
            }
        }
    }

    @Test func aPartOfThePathIsDecodedAfterItWasSplit() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let reply = try await gateway.request(.GET, "/api/v1/named/a%2Fb%20%E6%B0%B4")
            #expect(reply.json?["text"]?.string == "a/b 水")
        }
    }

    @Test func anErrorOfOursIsToldToNobody() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let reply = try await gateway.request(.GET, "/api/v1/failing")
            #expect(reply.status == 500)
            #expect(reply.code == "internal-error")
            #expect(!reply.text.contains("hunter2"))
            let line = try await gateway.log.line("the failure") { $0.level == .error }
            #expect(line["request.id"] == reply[header: "X-Request-Id"])
            #expect(!gateway.log.lines.contains { "\($0.metadata)".contains("hunter2") })
        }
    }

    @Test func theDocumentAndThePagesAreServed() async throws {
        try await GatewayUnderTest.with { gateway in
            let document = try await gateway.request(.GET, "/api/openapi.json")
            #expect(document.json?["openapi"]?.string?.hasPrefix("3.1") == true)
            let page = try await gateway.request(.GET, "/api/")
            #expect(page[header: "Content-Type"] == "text/html; charset=utf-8")
            #expect(page[header: "Content-Security-Policy"]?.contains("style-src 'sha256-") == true)
            let problem = try await gateway.request(.GET, "/api/problems/not-found", headers: ["Accept-Language": "es"])
            #expect(problem.text.contains(ProblemType.notFound.title(in: Language(locale: "es"))))
            #expect(try await gateway.request(.GET, "/api/problems/nothing").status == 404)
        }
    }

    @Test func everyAnswerCarriesTheSecurityHeaders() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            for path in ["/api/v1/named/a", "/api/v1/nothing"] {
                let reply = try await gateway.request(.GET, path)
                #expect(reply[header: "Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'")
                #expect(reply[header: "X-Content-Type-Options"] == "nosniff")
                #expect(reply[header: "Referrer-Policy"] == "no-referrer")
                #expect(reply[header: "Strict-Transport-Security"] == "max-age=31536000")
                #expect(reply[header: "Cache-Control"] == "no-store")
                #expect(reply[header: "X-Request-Id"] != nil)
            }
        }
    }
}
