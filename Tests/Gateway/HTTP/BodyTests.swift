import NIOCore
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

@Suite struct BodyTests {
    @Test func aBodyThatIsTooLargeIsRefusedBeforeItIsRead() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            try await RawClient.with(gateway.port) { client in
                try await client.send(
                    "POST /api/v1/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 1000000000\r\n\r\n{")
                let answer = try await client.rest()
                #expect(answer.hasPrefix("HTTP/1.1 413 "))
                #expect(answer.lowercased().contains("connection: close"))
                #expect(answer.contains(#""code":"body-too-large""#))
            }
        }
    }

    @Test func aBodyWithoutAnnouncedLengthIsReadUpToTheBound() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            try await RawClient.with(gateway.port) { client in
                let chunk = String(repeating: "a", count: 0x4000)
                try await client.send(
                    "POST /api/v1/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n"
                        + String(repeating: "4000\r\n\(chunk)\r\n", count: 5))
                #expect(try await client.rest().hasPrefix("HTTP/1.1 413 "))
            }
        }
    }

    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1"])
    func anotherMediaTypeIsRefused(type: String) async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let reply = try await gateway.request(
                .POST, "/api/v1/echo", json: ["text": "a"], headers: ["Content-Type": type])
            #expect(reply.status == 415)
        }
    }

    @Test func whatIsNoJSONIsRefused() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let deep = String(repeating: "[", count: 30_000)
            let bodies: [[UInt8]] = [
                Array(#"{"text":"#.utf8), [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], Array(deep.utf8),
                Array(#"{"text":"a","text":"b"}"#.utf8), Array("[]".utf8),
            ]
            for body in bodies {
                let reply = try await gateway.request(.POST, "/api/v1/echo", body: body)
                #expect(reply.status == 400)
                #expect(reply.code == "malformed-body")
            }
            #expect(try await gateway.request(.POST, "/api/v1/echo", json: ["text": "\u{0}"]).status == 422)
        }
    }

    @Test func gzipIsForThoseWhoTakeIt() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            for path in ["/api/v1/echo?many=9000", "/api/v1/stream?many=9000"] {
                let plain = try await gateway.request(.GET, path)
                let packed = try await gateway.request(.GET, path, headers: ["Accept-Encoding": "gzip"])
                #expect(plain[header: "Content-Encoding"] == nil)
                #expect(packed[header: "Content-Encoding"] == "gzip")
                #expect(packed[header: "Vary"]?.contains("Accept-Encoding") == true)
                #expect(packed.body.count < plain.body.count / 3)
                #expect(try await gunzip(packed.body) == plain.body)
            }
            let small = try await gateway.request(.GET, "/api/v1/echo", headers: ["Accept-Encoding": "gzip"])
            #expect(small[header: "Content-Encoding"] == nil)
        }
    }

    @Test func whatIsCreatedIsNeverCompressed() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let text = String(repeating: "a", count: 20_000)
            let reply = try await gateway.request(
                .POST, "/api/v1/echo", json: ["text": .string(text)], headers: ["Accept-Encoding": "gzip"])
            #expect(reply.status == 200)
            #expect(reply[header: "Content-Encoding"] == nil)
        }
    }

    @Test(arguments: [("gzip, br", true), ("br;q=0, *", false), ("gzip", false), ("*", true)])
    func acceptedBrotli(header: String, isTaken: Bool) {
        #expect(accepts(.brotli, [header]) == isTaken)
    }

    @Test(arguments: [
        ("gzip", true), ("deflate, gzip;q=0.5", true), ("*", true), ("gzip;q=0", false), ("*;q=0", false),
        ("identity", false), ("", false), ("gzip; q=0.0, *", false), ("GZIP", true),
    ])
    func acceptedEncodings(header: String, isTaken: Bool) {
        #expect(accepts(.gzip, [header]) == isTaken)
    }
}
