import NIOCore
import NIOSSL
import PublicHTTP
import Routes
import ServiceKit
import TestSupport
import Testing

@testable import Gateway

/// A gateway that serves TLS itself.
@Suite struct TLSTests {
    static let get = "GET /api/v1/named/a HTTP/1.1\r\nHost: water.example\r\n"
    /// The protocols that browsers offer.
    static var browser: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = ["h2", "http/1.1"]
        return configuration
    }

    static func with(
        _ certificate: TestCertificate, _ adjust: (inout GatewayConfiguration) throws -> Void = { _ in },
        _ body: @Sendable @escaping (GatewayUnderTest) async throws -> Void
    ) async throws {
        let renewable = try certificate.renewable()
        let adjusting = { (configuration: inout GatewayConfiguration) throws in
            configuration.certificate = renewable
            configuration.settings.certificateRound = .milliseconds(20)
            try adjust(&configuration)
        }
        try await GatewayUnderTest.with(api: TrialAPI().make(), adjusting, body)
    }

    @Test(arguments: [TLSVersion.tlsv12, .tlsv13])
    func requestsAreAnswered(_ version: TLSVersion) async throws {
        try await TestCertificate.with { certificate in
            let own = try certificate.certificate()
            try await Self.with(certificate) { gateway in
                var tls = Self.browser
                tls.maximumTLSVersion = version
                try await RawClient.with(gateway.port, tls: tls) { client in
                    try await client.send(Self.get + "\r\n")
                    let first = try await client.text(until: "}")
                    #expect(first.hasPrefix("HTTP/1.1 200 "))
                    #expect(first.contains("Strict-Transport-Security: max-age=31536000"))
                    // HTTP/2 is left to proxies.
                    let handshake = try await client.handshake()
                    #expect(handshake.application == "http/1.1")
                    #expect(handshake.certificate == own)
                    try await client.send(Self.get + "Connection: close\r\n\r\n")
                    #expect(try await client.rest().hasPrefix("HTTP/1.1 200 "))
                }
                #expect(gateway.metrics.render().contains("aqua_gateway_failed_handshakes_total 0\n"))
            }
        }
    }

    @Test func oldVersionsAreRefused() async throws {
        try await TestCertificate.with { certificate in
            try await Self.with(certificate) { gateway in
                var tls = Self.browser
                tls.minimumTLSVersion = .tlsv1
                tls.maximumTLSVersion = .tlsv11
                try await RawClient.with(gateway.port, tls: tls) { client in
                    let refused = await #expect(throws: NIOSSLError.self) { _ = try await client.handshake() }
                    #expect(refused != nil)
                }
                try await gateway.failedHandshakes(1)
            }
        }
    }

    @Test func aClientWithoutTLSIsSentAway() async throws {
        try await TestCertificate.with { certificate in
            try await Self.with(certificate) { gateway in
                try await RawClient.with(gateway.port) { client in
                    try await client.send(Self.get + "\r\n")
                    #expect(try await client.rest() == "")
                }
                try await gateway.failedHandshakes(1)
            }
        }
    }

    @Test func stoppingWaitsForNoHandshake() async throws {
        try await TestCertificate.with { certificate in
            try await Self.with(certificate, { $0.settings.timeouts.head = .hours(1) }) { gateway in
                try await RawClient.with(gateway.port) { silent in
                    try await gateway.connections(1)
                    try await RawClient.with(gateway.port, tls: Self.browser) { listener in
                        try await listener.send("GET /api/v1/events HTTP/1.1\r\nHost: a\r\n\r\n")
                        _ = try await listener.text(until: "data: first\n\n")
                        await gateway.stop()
                        #expect(try await listener.rest().hasSuffix("0\r\n\r\n"))
                    }
                    #expect(try await silent.rest() == "")
                }
            }
        }
    }
}

extension GatewayUnderTest {
    func failedHandshakes(_ count: Int) async throws { try await figure("gateway_failed_handshakes_total", count) }
    func connections(_ count: Int) async throws { try await figure("gateway_connections", count) }

    /// Waits for a metric's value.
    func figure(_ name: String, _ value: Int) async throws {
        try await awaitFact("\(value) as aqua_\(name)") {
            metrics.render().contains("\naqua_\(name) \(value)\n") ? true : nil
        }
    }
}
