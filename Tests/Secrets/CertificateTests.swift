import Foundation
import Instants
import Secrets
import TestSupport
import Testing

/// The fleet's authority, and OpenSSL's own judgement of what it signs.
@Suite struct CertificateTests {
    private static let now = WallClock.system.now().wholeSecond
    private static let year = Duration.seconds(365 * 86_400)

    private static func authority() throws -> (authority: CertificateAuthority, key: CertificateKey) {
        let key = try CertificateKey.generate()
        return (try .make(name: "A fleet", key: key, until: now + year * 20, now: now), key)
    }

    @Test func aCertificateNamesItsDeviceAndEndsWithItsAuthority() throws {
        let (authority, _) = try Self.authority()
        let key = try CertificateKey.generate()
        let certificate = try authority.issue(to: "pond-1", key: key, until: Self.now + Self.year * 2, now: Self.now)
        #expect(certificate.name == "pond-1")
        #expect(certificate.validity == (Self.now - .seconds(3600))..<(Self.now + Self.year * 2))
        #expect(CertificateSerial("\(certificate.serial)") == certificate.serial)
        #expect(try certificate.isSigned(by: authority.certificate))
        #expect(try !certificate.isSigned(by: Self.authority().authority.certificate))
        let longer = try authority.issue(to: "pond-1", key: key, until: Self.now + Self.year * 40, now: Self.now)
        #expect(longer.validity.upperBound == Self.now + Self.year * 20)
        #expect(longer.serial != certificate.serial)
        #expect(try Certificate(reading: certificate.pem) == certificate)
    }

    @Test func eachListFollowsTheFormerWhateverTheClockSays() throws {
        let (authority, _) = try Self.authority()
        let serial = CertificateSerial.random()
        var list = try authority.list([:], after: nil, now: Self.now)
        #expect(list.number == 1)
        #expect(list.end == authority.certificate.validity.upperBound)
        for step in 0..<50 {
            let former = list
            list = try authority.list([serial: Self.now], after: former, now: Self.now - .seconds(step * 60))
            #expect(list.number == former.number + 1)
            #expect(list.made > former.made)
            // A list that begins later than the broker's clock shuts everybody out.
            #expect(list.made <= Self.now)
        }
        #expect(list.revoked == [serial: Self.now])
        #expect(try list.isSigned(by: authority.certificate))
        #expect(try !list.isSigned(by: Self.authority().authority.certificate))
        #expect(try RevocationList(reading: list.pem) == list)
        // A list of a clock that was ahead keeps nobody out any longer once the clock is right.
        let ahead = try authority.list(list.revoked, after: list, now: Self.now + Self.year)
        let next = try authority.list(ahead.revoked, after: ahead, now: Self.now)
        #expect(next.number == ahead.number + 1)
        #expect(next.made <= Self.now)
    }

    @Test func whatIsNoneIsRefused() throws {
        let (authority, key) = try Self.authority()
        #expect(throws: CertificateError.self) {
            try Certificate(reading: authority.list([:], after: nil, now: Self.now).pem)
        }
        #expect(throws: CertificateError.self) { try RevocationList(reading: authority.certificate.pem) }
        #expect(throws: CertificateError.self) { try CertificateKey(reading: "-----BEGIN PRIVATE KEY-----\n") }
        #expect(throws: CertificateError.self) {
            try CertificateAuthority(authority.certificate, key: CertificateKey.generate())
        }
        for name in ["", String(repeating: "x", count: 65)] {
            #expect(throws: CertificateError.self) {
                try authority.issue(to: name, key: key, until: Self.now + Self.year, now: Self.now)
            }
        }
        for text in ["", "12", String(repeating: "g", count: 32), String(repeating: "é", count: 16)] {
            #expect(CertificateSerial(text) == nil, "\(text)")
        }
        #expect("\(key)\(String(reflecting: key))".contains("BEGIN") == false)
    }

    /// The holder of the authority's key signs anything; OpenSSL, and with it the broker, refuses what names a service.
    @Test(arguments: [
        ("/CN=pond-1", "", true), ("/CN=aqua_admin", "", true), ("/CN=aqua.operator", "", false),
        ("/CN=aqua.ingestor", "", false), ("/O=farm/CN=aqua.operator", "", false),
        ("/CN=pond-1/CN=aqua.operator", "", false),
        ("/CN=aqua.operator/CN=pond-1", "", false), ("/CN=aqua.operator", "subjectAltName=DNS:pond-1", false),
        ("/CN=aqua.operator", "subjectAltName=IP:192.0.2.1", false),
        ("/CN=aqua.operator", "subjectAltName=email:a@example.org", false),
    ])
    func noCertificateOfTheAuthorityNamesAService(subject: String, extra: String, isAccepted: Bool) async throws {
        let (authority, key) = try Self.authority()
        try await Paths.withTemporaryDirectory { directory in
            func file(_ name: String) -> String { directory.appending(path: name).path(percentEncoded: false) }
            try authority.certificate.pem.write(toFile: file("ca.pem"), atomically: true, encoding: .utf8)
            try key.pem.write(toFile: file("ca.key"), atomically: true, encoding: .utf8)
            try extra.write(toFile: file("extra"), atomically: true, encoding: .utf8)
            try await ProcessUnderTest.run(
                "/usr/bin/openssl",
                [
                    "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", subject,
                    "-keyout", file("key"), "-out", file("request"),
                ])
            try await ProcessUnderTest.run(
                "/usr/bin/openssl",
                [
                    "x509", "-req", "-in", file("request"), "-CA", file("ca.pem"), "-CAkey", file("ca.key"),
                    "-set_serial",
                    "7", "-days", "1", "-extfile", file("extra"), "-out", file("one.pem"),
                ])
            let judged = try ProcessUnderTest.start(
                "/usr/bin/openssl", ["verify", "-purpose", "sslclient", "-CAfile", file("ca.pem"), file("one.pem")])
            #expect(await (judged.end == .exit(0)) == isAccepted, "\(judged.errors.tail())")
        }
    }

    /// Mosquitto takes the bytes of a name; in letters of two bytes each, those of a service's would look like no host's to OpenSSL. An odd
    /// number of bytes is no such text.
    @Test func noServiceHasANameThatReadsAsWiderLetters() throws {
        let program = try String(contentsOf: Paths.repository.appending(path: "deploy/broker/init"), encoding: .utf8)
        let line = try #require(
            program.split(separator: "\n").first { $0.hasPrefix("SERVICES_BESIDE_CERTIFICATES = ") })
        let names = line.split(separator: "\"").filter { $0.hasPrefix("aqua.") }
        #expect(names.count == 2)
        for name in names { #expect(name.utf8.count % 2 == 1, "\(name)") }
    }

    /// Each device's name is one that the authority can sign for: letters, digits, `_` and `-` make no host's name.
    @Test func everyDevicesNameIsAccepted() async throws {
        let (authority, key) = try Self.authority()
        var generator = SeededGenerator(seed: 36)
        let letters = Array("ABCXYZabcxyz0189_-")
        var chain = ""
        for length in 1...32 {
            let name = String((0..<length).map { _ in letters.randomElement(using: &generator)! })
            chain = try authority.issue(to: name, key: key, until: Self.now + Self.year, now: Self.now).pem
            try await Paths.withTemporaryDirectory { directory in
                let files = ["ca.pem", "one.pem"].map { directory.appending(path: $0).path(percentEncoded: false) }
                try authority.certificate.pem.write(toFile: files[0], atomically: true, encoding: .utf8)
                try chain.write(toFile: files[1], atomically: true, encoding: .utf8)
                try await ProcessUnderTest.run(
                    "/usr/bin/openssl", ["verify", "-purpose", "sslclient", "-CAfile", files[0], files[1]])
            }
        }
    }
}
