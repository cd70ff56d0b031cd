import Instants
import Logging
import NIOSSL
import ServiceKit
import TestSupport
import Testing

@testable import Gateway
@testable import PublicHTTP

/// The files change while a gateway serves their former content.
@Suite struct RenewalTests {
    @Test func newConnectionsSeeTheNewCertificate() async throws {
        try await TestCertificate.with { certificate in
            let first = try certificate.certificate()
            try await TLSTests.with(certificate) { gateway in
                try await RawClient.with(gateway.port, tls: TLSTests.browser) { old in
                    try await old.send(TLSTests.get + "\r\n")
                    _ = try await old.text(until: "}")
                    try await certificate.renew()
                    let second = try certificate.certificate()
                    #expect(first != second)
                    try await gateway.log.line("the renewal") { $0.message == "Serves a renewed certificate" }
                    #expect(try await Self.presented(gateway) == second)
                    try await gateway.figure("certificate_end_timestamp_seconds", second.notValidAfter)
                    try await gateway.figure("certificate_begin_timestamp_seconds", second.notValidBefore)
                    // Open connections go on.
                    try await old.send(TLSTests.get + "\r\n")
                    #expect(try await old.text(until: "}").hasPrefix("HTTP/1.1 200 "))
                    #expect(try await old.handshake().certificate == first)
                }
            }
        }
    }

    enum Damage: String, CaseIterable {
        case noCertificateInTheFile, emptyCertificate, emptyKey, noKeyInTheFile, keyOfAnother, keyIsGone, keyIsOpen
    }

    @Test(arguments: Damage.allCases)
    func whatCannotBeUsedLeavesTheLastGoodOne(_ damage: Damage) async throws {
        try await TestCertificate.with { certificate in
            let first = try certificate.certificate()
            try await TLSTests.with(certificate) { gateway in
                try await gateway.figure("certificate_renewal_failing", 0)
                try await Self.inflict(damage, on: certificate)
                try await gateway.log.line("a warning") {
                    $0.level == .warning && $0["name"] == "renewal of the certificate for people"
                        && $0["error"]?.contains("AQUA_PEOPLE_") == true
                }
                try await gateway.figure("certificate_renewal_failing", 1)
                #expect(try await Self.presented(gateway) == first)
                try await certificate.renew()
                try await gateway.figure("certificate_renewal_failing", 0)
                let second = try certificate.certificate()
                #expect(try await Self.presented(gateway) == second)
            }
        }
    }

    private static func inflict(_ damage: Damage, on certificate: TestCertificate) async throws {
        switch damage {
        case .noCertificateInTheFile: try certificate.write("soon", to: certificate.chain)
        case .emptyCertificate: try certificate.write("", to: certificate.chain)
        case .emptyKey: try certificate.write("", to: certificate.key)
        case .noKeyInTheFile: try certificate.write("soon", to: certificate.key)
        case .keyOfAnother: try await certificate.replaceCertificateAlone()
        case .keyIsGone: try certificate.remove(certificate.key)
        case .keyIsOpen: try await certificate.renew(keyMode: 0o644)
        }
    }

    private static func presented(_ gateway: GatewayUnderTest) async throws -> NIOSSLCertificate? {
        try await RawClient.with(gateway.port, tls: TLSTests.browser) { try await $0.handshake().certificate }
    }

    /// A certificate that browsers refuse does not replace one that they accept.
    @Test func anInvalidOneReplacesNoneThatIsValid() async throws {
        try await TestCertificate.with { certificate in
            let renewable = try certificate.renewable()
            let used = renewable.current.validity
            try await certificate.renew(days: 1)
            #expect(renewable.renew(at: used.begin + .days(2)) == .kept(reason: "the new certificate is expired"))
            #expect(renewable.isFailing && renewable.current.validity == used)
            let renewed = renewable.renew(at: used.end)
            #expect(renewed != .unchanged && renewable.current.validity != used)
            #expect(!renewable.isFailing)
            #expect(renewable.renew(at: used.end) == .unchanged)
        }
    }

    @Test func validities() {
        let start = Timestamp(microseconds: 1_800_000_000_000_000)
        let young = Validity(begin: start, end: start + .days(90))
        #expect(young.fault(at: start - .seconds(1)) == .notYet)
        #expect(young.fault(at: start) == nil)
        #expect(young.fault(at: young.end - .seconds(1)) == nil)
        #expect(young.fault(at: young.end) == .expired)
        let next = Validity(begin: start + .days(60), end: start + .days(150))
        #expect(next.fault(inPlaceOf: young, at: start) == .notYet)
        #expect(next.fault(inPlaceOf: young, at: next.begin) == nil)
        #expect(young.fault(inPlaceOf: next, at: young.end) == .expired)
        // If the one in use is no better, the operator's files decide.
        #expect(young.fault(inPlaceOf: next, at: start) == nil)
        #expect(next.fault(inPlaceOf: young, at: next.end) == nil)
    }
}

extension Duration {
    fileprivate static func days(_ count: Int) -> Duration { .seconds(86_400 * count) }
}
