import Instants
import PublicHTTP
import ServiceKit
import TestSupport
import Testing

@testable import Operator

/// The doctor's findings about the proxy in front of the Gateway.
@Suite struct ProxyChecksTests {
    @Test(arguments: [
        ("10.213.88.2/32", 0), ("10.213.88.2/32, fd00:0:213:88::2/128", 0), ("10.244.255.240/28", 0),
        ("10.244.0.0/16", 1),
        ("fd00::/64", 1),
    ])
    func aWholeNetworkIsNoProxy(_ text: String, _ faults: Int) throws {
        let findings = ProxyChecks.findings(of: try #require(TrustedProxies(text)))
        #expect(findings.count == faults && findings.allSatisfy { $0.status == .wrong })
    }

    /// The receiver stands for a proxy whose certificate, for `receiver.invalid`, is of an authority of its own.
    @Test func itsCertificate() async throws {
        try await WebhookSink.with(.http2) { sink in
            let address = "127.0.0.1:\(sink.port)"
            let findings = try await Self.findings(at: address)
            #expect(findings.map(\.status) == [.ok, .notice])
            #expect(findings[0].finding.hasPrefix("the proxy's certificate is valid for "))
            #expect(findings[1].finding == "this machine does not trust the proxy's certificate")
        }
    }

    @Test func aProxyWithoutACertificate() async throws {
        try await WebhookSink.with { sink in
            let findings = try await Self.findings(at: "127.0.0.1:\(sink.port)")
            #expect(findings.map(\.status) == [.wrong])
            #expect(findings[0].finding.hasSuffix("has no certificate for the host of AQUA_PUBLIC_URL"))
        }
    }

    /// Each fault has its own words, and only a proxy that may be meant to be stopped is no fault.
    @Test(
        arguments: [
            (.unresolved, .notice, "proxy, where AQUA_PROXY_ADDRESS has the proxy, is no name with an address"),
            (.unanswered, .notice, "nothing answers at proxy:8443, where AQUA_PROXY_ADDRESS has the proxy"),
            (.stalled, .wrong, "the proxy at proxy:8443 takes connections and does not go on with TLS"),
            (.absent, .wrong, "the proxy at proxy:8443 has no certificate for the host of AQUA_PUBLIC_URL"),
            (.notBegun, .wrong, "the proxy's certificate could not be looked at: TLS could not be begun"),
        ] as [(UnreadCertificate.Code, Finding.Status, String)])
    func aCertificateThatCannotBeRead(_ code: UnreadCertificate.Code, _ status: Finding.Status, _ text: String) {
        let finding = ProxyChecks.finding(of: UnreadCertificate(code), at: HostAndPort(host: "proxy", port: 8443))
        #expect(finding.status == status && finding.finding == text && finding.mend != nil)
    }

    /// The name of an address is longer than DNS takes, so that no name server is asked.
    @Test func eachFaultOfAConnectionIsToldApart() async throws {
        let silent = try #require(BoundSocket(listens: true))
        let name = "receiver.invalid"
        let tooLong = String(repeating: "a", count: 64)
        #expect(await Self.fault(host: tooLong, port: silent.port, name: name) == .unresolved)
        #expect(await Self.fault(host: "127.0.0.1", port: Ports.free(), name: name) == .unanswered)
        // A wait that is too short even for the connection is made longer.
        var (limit, fault) = (Duration.milliseconds(50), UnreadCertificate.Code?.some(.unanswered))
        while fault == .unanswered, limit < .seconds(120) {
            fault = await Self.fault(host: "127.0.0.1", port: silent.port, name: name, within: limit)
            limit *= 2
        }
        #expect(fault == .stalled)
        #expect(
            await Self.fault(host: "127.0.0.1", port: silent.port, name: String(repeating: "a", count: 256))
                == .notBegun)
    }

    /// - Returns: nil if a certificate was read.
    private static func fault(
        host: String, port: Int, name: String, within limit: Duration = .seconds(120)
    ) async -> UnreadCertificate.Code? {
        do {
            _ = try await readCertificate(host: host, port: port, name: name, within: limit)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func aProxyThatDoesNotRun() async throws {
        #expect(try await Self.findings(at: "127.0.0.1:\(Ports.free())").map(\.status) == [.notice])
        #expect(try await Self.findings(at: nil).isEmpty)
    }

    /// Certificates of 90 days and of 12 hours: a proxy renews each when a third of its life is left.
    @Test(
        arguments: [
            (90 * 24, 31 * 24, "is valid for 31 days"), (90 * 24, 19 * 24, "is valid for 19 days"),
            (90 * 24, 17 * 24, "expires in 17 days, and should have been renewed"), (12, 4, "is valid for 4 hours"),
            (12, 1, "expires in 1 hour, and should have been renewed"), (12, 0, "has expired"), (12, -1, "has expired"),
        ] as [(Int64, Int64, String)])
    func aRenewalThatIsLate(_ life: Int64, _ left: Int64, _ verdict: String) {
        let end = Timestamp(unixSeconds: 1_800_000_000 as Int64)
        let finding = ProxyChecks.certificate.judge(end - .seconds(life * 3600)..<end, now: end - .seconds(left * 3600))
        #expect(finding.finding == "the proxy's certificate \(verdict)")
        #expect((finding.status == .ok) == verdict.hasPrefix("is valid"))
    }

    private static func findings(at proxy: String?) async throws -> [Finding] {
        var environment = ["AQUA_PUBLIC_URL": "https://receiver.invalid"]
        environment["AQUA_PROXY_ADDRESS"] = proxy
        let settings = try #require(try OperatorEnvironment(environment).read { GatewaySettings($0) })
        return await ProxyChecks(settings: settings, clock: .system, patience: .seconds(120)).run()
    }
}
