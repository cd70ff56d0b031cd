import Foundation
import NIOSSL
import PublicHTTP
import TestSupport
import Testing

@testable import Gateway

/// A certificate and its key in a directory, as an operator keeps them.
struct TestCertificate: Sendable {
    private let directory: URL

    /// Makes a certificate and a key for the length of `body`.
    static func with(_ body: (TestCertificate) async throws -> Void) async throws {
        try await Paths.withTemporaryDirectory { directory in
            let certificate = TestCertificate(directory: directory)
            try await certificate.renew()
            try await body(certificate)
        }
    }

    var chain: String { directory.appending(path: "chain.pem").path(percentEncoded: false) }
    var key: String { directory.appending(path: "key.pem").path(percentEncoded: false) }
    var files: CertificateFiles { CertificateFiles(.people, chain: chain, key: key) }

    /// The certificate as a gateway that starts now would load it.
    func renewable() throws -> RenewableCertificate {
        RenewableCertificate(files, try #require(try files.read()))
    }

    /// The certificate that the file holds now.
    func certificate() throws -> NIOSSLCertificate {
        try #require(try NIOSSLCertificate.fromPEMFile(chain).first)
    }

    /// Replaces both files, the certificate before the key.
    /// - Parameter keyMode: Who may read the key from its first moment on.
    func renew(days: Int = 30, keyMode: Int = 0o600) async throws {
        try await make("new-chain.pem", "new-key.pem", days: days)
        try setMode(keyMode, of: directory.appending(path: "new-key.pem").path(percentEncoded: false))
        try move("new-chain.pem", to: "chain.pem")
        try move("new-key.pem", to: "key.pem")
    }

    /// Replaces the certificate by one for another key.
    func replaceCertificateAlone() async throws {
        try await make("new-chain.pem", "unused.pem", days: 30)
        try move("new-chain.pem", to: "chain.pem")
    }

    func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        try setMode(0o600, of: path)
    }

    func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    private func make(_ chain: String, _ key: String, days: Int) async throws {
        try await ProcessUnderTest.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "\(days)",
                "-subj", "/CN=water.example", "-addext", "subjectAltName=DNS:water.example", "-out",
                directory.appending(path: chain).path(percentEncoded: false), "-keyout",
                directory.appending(path: key).path(percentEncoded: false),
            ])
    }

    private func move(_ name: String, to other: String) throws {
        let places = [name, other].map { directory.appending(path: $0).path(percentEncoded: false) }
        guard rename(places[0], places[1]) == 0 else { throw TestSupportError("\(name) could not be moved") }
    }
}
