import NIOCore
import NIOSSL
import PublicHTTP
import TestSupport
import Testing

@testable import Gateway

/// The limits on a client before its handshake is over.
@Suite struct HandshakeLimitTests {
    @Test func silenceEndsTheConnection() async throws {
        try await TestCertificate.with { certificate in
            try await TLSTests.with(certificate, { $0.settings.timeouts.head = .milliseconds(50) }) { gateway in
                try await RawClient.with(gateway.port) { client in
                    let rest = try await client.rest()
                    #expect(rest == "")
                }
                try await gateway.failedHandshakes(1)
                try await gateway.connections(0)
            }
        }
    }

    /// Sends each byte of a ClientHello in a record of its own; none of them extends the deadline.
    @Test func aHandshakeInDropsEndsTheConnection() async throws {
        try await TestCertificate.with { certificate in
            try await TLSTests.with(certificate, { $0.settings.timeouts.head = .milliseconds(50) }) { gateway in
                let length = 16_000
                let hello: [UInt8] = [1, 0, UInt8(length >> 8), UInt8(length & 0xFF), 3, 3]
                let sent = try await RawClient.with(gateway.port) { client in
                    var sent = 0
                    do {
                        while sent < length {
                            try await client.send([22, 3, 1, 0, 1, sent < hello.count ? hello[sent] : 0])
                            sent += 1
                            // Pauses between bytes, so that a busy server's timer fires before the last one.
                            try await Task.sleep(for: .milliseconds(2))
                        }
                    } catch {
                        // The server has ended the connection.
                    }
                    return sent
                }
                #expect(sent < length)
                try await gateway.failedHandshakes(1)
                try await gateway.connections(0)
            }
        }
    }

    /// The handshake is over, but the timeout of the first head still applies.
    @Test func silenceAfterTheHandshakeEndsTheConnection() async throws {
        try await TestCertificate.with { certificate in
            try await TLSTests.with(certificate, { $0.settings.timeouts.head = .seconds(2) }) { gateway in
                try await RawClient.with(gateway.port, tls: TLSTests.browser) { client in
                    _ = try? await client.handshake()
                    let rest = try await client.rest()
                    #expect(rest == "")
                }
                try await gateway.connections(0)
            }
        }
    }

    @Test func halfOpenHandshakesCount() async throws {
        let adjust = GatewayUnderTest.adjusting {
            $0.settings.timeouts.head = .hours(1)
            $0.settings.mostConnectionsPerNetwork = 2
        }
        try await TestCertificate.with { certificate in
            try await TLSTests.with(certificate, adjust) { gateway in
                try await RawClient.with(gateway.port) { _ in
                    try await RawClient.with(gateway.port) { _ in
                        try await gateway.connections(2)
                        await Self.expectRefusal(gateway)
                        try await gateway.figure("gateway_refused_connections_total", 1)
                    }
                }
                // The connection was refused before anything was said: its handshake never began.
                try await gateway.failedHandshakes(2)
            }
        }
    }

    @Test func handshakesOfOneSenderAreCounted() async throws {
        let adjust = GatewayUnderTest.adjusting {
            $0.settings.handshakes = RatePolicy("test", quota: 2, window: .seconds(86_400))
        }
        try await TestCertificate.with { certificate in
            try await TLSTests.with(certificate, adjust) { gateway in
                for _ in 0..<2 {
                    try await RawClient.with(gateway.port, tls: TLSTests.browser) { client in
                        try await client.send(TLSTests.get + "Connection: close\r\n\r\n")
                        #expect(try await client.rest().hasPrefix("HTTP/1.1 200 "))
                    }
                }
                await Self.expectRefusal(gateway)
                try await gateway.figure("gateway_refused_connections_total", 1)
            }
        }
    }

    /// The same as without TLS: the client does not confirm the end either.
    @Test func aReaderThatTakesNothingLosesTheConnection() async throws {
        try await TestCertificate.with { certificate in
            try await TLSTests.with(certificate, { $0.settings.timeouts.write = .milliseconds(50) }) { gateway in
                try await RawClient.with(gateway.port, tls: TLSTests.browser) { client in
                    try await client.send("GET /api/v1/flood HTTP/1.1\r\nHost: a\r\n\r\n")
                    try await gateway.log.line("a stream that broke off") {
                        $0["route"] == "flood" && $0["reason"] != nil
                    }
                    try await gateway.connections(0)
                }
            }
        }
    }

    private static func expectRefusal(_ gateway: GatewayUnderTest) async {
        await #expect(throws: (any Error).self) {
            try await RawClient.with(gateway.port, tls: TLSTests.browser) { client in
                _ = try await client.handshake()
            }
        }
    }
}
