import Foundation
import Instants
import ServiceKit
import TestSupport
import Testing

@testable import Operator

/// The doctor's findings about the Gateway.
@Suite struct GatewayChecksTests {
    @Test(arguments: [
        ("https://water.example.org", Finding.Status.ok), ("https://water.example.org:8443/", .ok),
        ("http://127.0.0.1:8080", .ok), ("http://localhost", .ok), ("http://[::1]:8080", .ok),
        ("http://water.example.org", .wrong), ("http://192.168.1.4:8080", .wrong),
        ("https://water.example.org/app", .wrong), ("https://ada@water.example.org", .wrong),
        ("water.example.org", .wrong), ("https://", .wrong),
    ])
    func theAddressThatPeopleUse(_ url: String, _ status: Finding.Status) {
        #expect(GatewayChecks.finding(of: url).status == status, "\(url)")
    }

    @Test func whereNothingAnswersIsANotice() async throws {
        let findings = try await Self.findings(["AQUA_PEOPLE_LISTEN": "127.0.0.1:\(Ports.free())"])
        #expect(findings.map(\.status) == [.notice])
        #expect(findings.first?.mend?.contains("aqua-gateway") == true)
    }

    @Test func whatIsNoGatewayIsWrong() async throws {
        try await WebhookSink.with { sink in
            sink.answer([.body(#"{"name":"Water"}"#), .status(404)], then: .status(500))
            let environment = ["AQUA_PEOPLE_LISTEN": "127.0.0.1:\(sink.port)"]
            let first = try await Self.findings(environment).map(\.status)
            let second = try await Self.findings(environment).map(\.status)
            #expect(first == [.wrong])
            #expect(second == [.notice])
        }
    }

    @Test(arguments: [("open", Finding.Status.notice), ("invitation", .ok), ("closed", .ok)])
    func whoMayOpenAnAccount(_ signUp: String, _ status: Finding.Status) async throws {
        try await WebhookSink.with { sink in
            sink.answer(then: .body(#"{"name":"AquaMonitor","version":"1","signUp":"\#(signUp)"}"#))
            let findings = try await Self.findings(["AQUA_PEOPLE_LISTEN": "127.0.0.1:\(sink.port)"])
            #expect(findings.map(\.status) == [.ok, status])
        }
    }

    /// With a certificate it is asked over TLS, and the certificate is checked.
    @Test func itsCertificate() async throws {
        try await WebhookSink.with(.http2) { sink in
            sink.answer(then: .body(#"{"name":"AquaMonitor","version":"1","signUp":"closed"}"#))
            var environment = [
                "AQUA_PEOPLE_LISTEN": "127.0.0.1:\(sink.port)", "AQUA_PEOPLE_CERTIFICATE_FILE": "/tls/chain.pem",
                "AQUA_PUBLIC_URL": "https://receiver.invalid",
            ]
            let findings = try await Self.findings(environment)
            #expect(findings.map(\.status) == [.ok, .ok, .ok, .notice, .ok])
            #expect(findings.dropFirst(2).first?.finding.hasPrefix("its TLS certificate is valid for ") == true)
            #expect(findings.dropFirst(3).first?.finding == "this machine does not trust its TLS certificate")
            environment["AQUA_PEOPLE_CERTIFICATE_FILE"] = nil
            let unencrypted = try await Self.findings(environment)
            #expect(unencrypted.map(\.status) == [.notice, .ok])
        }
    }

    @Test(arguments: [
        (-1, Finding.Status.wrong), (86_400, .wrong), (2 * 86_400, .notice), (14 * 86_400, .ok), (90 * 86_400, .ok),
    ])
    func theEndOfItsCertificate(_ left: Int, _ status: Finding.Status) {
        let now = WallClock.system.now()
        #expect(
            GatewayChecks.certificate.judge(now - .seconds(86_400 * 90)..<now + .seconds(left), now: now).status
                == status)
    }

    @Test func withoutAGatewayNothingIsAsked() throws {
        #expect(try OperatorEnvironment([:]).read { GatewaySettings($0) } == nil)
    }

    private static func findings(_ environment: [String: String]) async throws -> [Finding] {
        let settings = try #require(try OperatorEnvironment(environment).read { GatewaySettings($0) })
        return await GatewayChecks(settings: settings, clock: .system).run()
    }
}
