import NIOCore
import NIOHTTP1
import PublicHTTP
import Routes
import ServiceKit
import TestSupport
import Testing

@testable import Gateway

@Suite struct ConnectionTests {
    private static let get = "GET /api/v1/named/a HTTP/1.1\r\nHost: a\r\n"

    @Test func aHeadThatIsTooLargeIsRefused() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let long = String(repeating: "a", count: 20_000)
            let many = (0..<200).map { "X-\($0): a\r\n" }.joined()
            for fields in ["X-Long: \(long)\r\n", many] {
                try await RawClient.with(gateway.port) { client in
                    try await client.send(Self.get + fields + "\r\n")
                    let answer = try await client.rest()
                    #expect(answer.hasPrefix("HTTP/1.1 431 "))
                    #expect(answer.contains(#""code":"headers-too-large""#))
                }
            }
        }
    }

    @Test func whatIsNoRequestIsRefused() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            for text in ["HELLO\r\n\r\n", "GET / HTTP/1.1\r\nBad Header: a\r\n\r\n", "\u{16}\u{03}\u{01}\r\n\r\n"] {
                try await RawClient.with(gateway.port) { client in
                    try await client.send(text)
                    #expect(try await client.rest().hasPrefix("HTTP/1.1 400 "))
                }
            }
        }
    }

    /// A request with two hosts is ambiguous: a proxy in front may use the other one.
    @Test func aRequestWithoutOneHostIsRefused() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let line = "GET /api/v1/named/a HTTP/1.1\r\n"
            for (text, status) in [
                (Self.get + "Host: b\r\n\r\n", "400"), (Self.get + "HOST: a\r\n\r\n", "400"), (line + "\r\n", "400"),
                (Self.get + "Connection: close\r\n\r\n", "200"),
                ("GET /api/v1/named/a HTTP/1.0\r\n\r\n", "200"),
                ("GET /api/v1/named/a HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", "400"),
            ] {
                try await RawClient.with(gateway.port) { client in
                    try await client.send(text)
                    let answer = try await client.rest()
                    #expect(answer.split(separator: " ").dropFirst().first == Substring(status), "\(text): \(answer)")
                }
            }
        }
    }

    @Test func aHeadThatDoesNotComeEndsTheConnection() async throws {
        let adjust = GatewayUnderTest.adjusting { $0.settings.timeouts.head = .milliseconds(50) }
        try await GatewayUnderTest.with(api: TrialAPI().make(), adjust) { gateway in
            try await RawClient.with(gateway.port) { client in
                try await client.send("GET /api/v1/na")
                #expect(try await client.rest() == "")
            }
        }
    }

    @Test func aBodyThatDoesNotComeIsAnsweredSo() async throws {
        let adjust = GatewayUnderTest.adjusting { $0.settings.timeouts.body = .milliseconds(50) }
        try await GatewayUnderTest.with(api: TrialAPI().make(), adjust) { gateway in
            try await RawClient.with(gateway.port) { client in
                try await client.send(
                    "POST /api/v1/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"
                )
                let answer = try await client.rest()
                #expect(answer.hasPrefix("HTTP/1.1 408 "))
                #expect(answer.contains(#""code":"request-too-slow""#))
            }
        }
    }

    @Test func anIdleConnectionEnds() async throws {
        let adjust = GatewayUnderTest.adjusting { $0.settings.timeouts.idle = .milliseconds(50) }
        try await GatewayUnderTest.with(api: TrialAPI().make(), adjust) { gateway in
            try await RawClient.with(gateway.port) { client in
                try await client.send(Self.get + "\r\n")
                let answer = try await client.rest()
                #expect(answer.hasPrefix("HTTP/1.1 200 "))
                #expect(!answer.lowercased().contains("connection: close"))
            }
        }
    }

    @Test func aReaderThatTakesNothingLosesTheConnection() async throws {
        let adjust = GatewayUnderTest.adjusting { $0.settings.timeouts.write = .milliseconds(50) }
        try await GatewayUnderTest.with(api: TrialAPI().make(), adjust) { gateway in
            try await RawClient.with(gateway.port) { client in
                try await client.send("GET /api/v1/flood HTTP/1.1\r\nHost: a\r\n\r\n")
                // Reads nothing until the gateway has given up.
                try await gateway.log.line("a stream that broke off") { $0["route"] == "flood" && $0["reason"] != nil }
            }
        }
    }

    @Test func requestsOfOneConnectionAreAnsweredInOrder() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            try await RawClient.with(gateway.port) { client in
                try await client.send(
                    ["a", "b", "c"].map { "GET /api/v1/named/\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
                        + "GET /api/v1/named/d HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n")
                let answer = try await client.rest()
                let words = answer.split(separator: #"{"text":""#).dropFirst().map { String($0.prefix(1)) }
                #expect(words == ["a", "b", "c", "d"])
            }
        }
    }

    @Test func aClientOfOldIsAnsweredWithoutChunks() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            try await RawClient.with(gateway.port) { client in
                try await client.send("GET /api/v1/stream?many=2 HTTP/1.0\r\n\r\n")
                let answer = try await client.rest()
                #expect(answer.hasSuffix("\r\n\r\nline 0\r\nline 1\r\n"))
            }
        }
    }

    @Test func aClientThatAsksFirstIsToldToSend() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            try await RawClient.with(gateway.port) { client in
                try await client.send(
                    "POST /api/v1/echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n"
                        + "Expect: 100-continue\r\nContent-Length: 12\r\n\r\n")
                _ = try await client.text(until: "HTTP/1.1 100 Continue\r\n\r\n")
                try await client.send(#"{"text":"a"}"#)
                #expect(try await client.rest().contains(#"{"text":"a"}"#))
            }
        }
    }

    @Test func oneSenderHasSoManyConnections() async throws {
        let adjust = GatewayUnderTest.adjusting { $0.settings.mostConnectionsPerNetwork = 2 }
        try await GatewayUnderTest.with(api: TrialAPI().make(), adjust) { gateway in
            // The fixture's own client holds no connection: readiness is asked elsewhere.
            try await RawClient.with(gateway.port) { first in
                try await first.send(Self.get + "\r\n")
                _ = try await first.text(until: "}")
                try await RawClient.with(gateway.port) { second in
                    try await second.send(Self.get + "\r\n")
                    _ = try await second.text(until: "}")
                    try await RawClient.with(gateway.port) { third in
                        let answer = try await third.rest()
                        #expect(answer.hasPrefix("HTTP/1.1 503 "))
                    }
                }
                try await awaitFact("room for another connection") {
                    try await RawClient.with(gateway.port) { next in
                        try? await next.send(Self.get + "Connection: close\r\n\r\n")
                        return try await next.rest().hasPrefix("HTTP/1.1 200 ") ? true : nil
                    }
                }
            }
            #expect(gateway.metrics.render().contains("aqua_gateway_refused_connections_total "))
        }
    }

    @Test func stoppingEndsStreamsAndLetsRequestsFinish() async throws {
        let trial = TrialAPI()
        try await GatewayUnderTest.with(api: trial.make()) { gateway in
            try await RawClient.with(gateway.port) { listener in
                try await listener.send("GET /api/v1/events HTTP/1.1\r\nHost: a\r\n\r\n")
                let head = try await listener.text(until: "data: first\n\n")
                #expect(head.contains("X-Accel-Buffering: no"))
                async let waited = gateway.request(.GET, "/api/v1/waiting")
                await trial.begun.wait()
                try await awaitFact("both requests under way") {
                    gateway.metrics.render().contains("aqua_gateway_requests_running 2") ? true : nil
                }
                await gateway.stop()
                // A stream ends properly: with its last chunk.
                #expect(try await listener.rest().hasSuffix("0\r\n\r\n"))
                trial.gate.open()
                #expect(try await waited.json?["text"]?.string == "waited")
            }
        }
    }

    @Test func aStreamEndsWhenItsClientIsGone() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            try await RawClient.with(gateway.port) { listener in
                try await listener.send("GET /api/v1/events HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try await listener.text(until: "data: first\n\n")
            }
            try await gateway.log.line("the stream's end") { $0["route"] == "events" && $0["reason"] != nil }
            #expect(gateway.metrics.render().contains("aqua_gateway_requests_running 0"))
        }
    }
}
