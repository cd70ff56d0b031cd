import ServiceKit
import TestSupport
import Testing

@testable import Gateway

/// Faulty settings that are refused at the start, and the messages.
@Suite struct CertificateSettingsTests {
    private typealias Spoil = @Sendable (TestCertificate, inout [String: String]) async throws -> Void

    /// The configuration's faults about the certificate.
    private static func faults(_ spoil: Spoil) async throws -> [String] {
        var told: [String] = []
        try await TestCertificate.with { certificate in
            var environment = [
                "AQUA_PEOPLE_CERTIFICATE_FILE": certificate.chain, "AQUA_PEOPLE_KEY_FILE": certificate.key,
                "AQUA_PUBLIC_URL": "https://water.example",
            ]
            try await spoil(certificate, &environment)
            told = Self.read(environment).map { "\($0)" }
        }
        return told
    }

    private static func read(_ environment: [String: String]) -> [ConfigurationFault] {
        do {
            _ = try Configuration.read(from: environment, GatewayConfiguration.init(reader:))
            return []
        } catch {
            let unrelated = ["AQUA_DATABASE_URL", "AQUA_SECRET_KEY_FILE", "AQUA_TOKEN_KEY_FILE"]
            return error.faults.filter { !unrelated.contains($0.variable) }
        }
    }

    @Test func aPairIsTaken() async throws {
        #expect(try await Self.faults { _, _ in } == [])
        #expect(
            try await Self.faults { _, environment in
                environment = [
                    "AQUA_PUBLIC_URL": "http://localhost:8080"
                ]
            } == [])
    }

    @Test func oneWithoutTheOther() async throws {
        let noKey = try await Self.faults { $1["AQUA_PEOPLE_KEY_FILE"] = nil }
        #expect(noKey.count == 1)
        #expect(noKey.first?.hasPrefix("AQUA_PEOPLE_KEY_FILE is not set while AQUA_PEOPLE_CERTIFICATE_FILE is") == true)
        let noCertificate = try await Self.faults { $1["AQUA_PEOPLE_CERTIFICATE_FILE"] = nil }
        #expect(noCertificate.count == 1)
        #expect(
            noCertificate.first?.hasPrefix("AQUA_PEOPLE_CERTIFICATE_FILE is not set while AQUA_PEOPLE_KEY_FILE is")
                == true)
    }

    @Test func filesThatCannotBeRead() async throws {
        let gone = try await Self.faults { certificate, _ in try certificate.remove(certificate.chain) }
        #expect(gone.count == 1)
        #expect(gone.first?.contains("AQUA_PEOPLE_CERTIFICATE_FILE names") == true)
        #expect(gone.first?.contains("cannot be read (No such file or directory)") == true)
        let open = try await Self.faults { certificate, _ in try certificate.setMode(0o644, of: certificate.key) }
        #expect(open.count == 1)
        #expect(open.first?.contains("AQUA_PEOPLE_KEY_FILE names") == true)
        #expect(open.first?.contains("run: chmod 0600 ") == true)
        // A certificate is no secret.
        let readable = try await Self.faults { certificate, _ in try certificate.setMode(0o644, of: certificate.chain) }
        #expect(readable == [])
        let directory = try await Self.faults { $1["AQUA_PEOPLE_KEY_FILE"] = "/tmp" }
        #expect(directory.first?.contains("is not a regular file") == true)
    }

    @Test func filesWithSomethingElse() async throws {
        let swapped = try await Self.faults { certificate, environment in
            environment["AQUA_PEOPLE_CERTIFICATE_FILE"] = certificate.key
        }
        #expect(swapped.count == 1)
        #expect(swapped.first?.contains("holds no certificate in PEM form") == true)
        let noKey = try await Self.faults { certificate, _ in try certificate.write("key\n", to: certificate.key) }
        #expect(noKey.count == 1)
        #expect(noKey.first?.contains("holds no private key in PEM form") == true)
        let empty = try await Self.faults { certificate, _ in try certificate.write("", to: certificate.key) }
        #expect(empty.first?.contains("is empty") == true)
    }

    @Test func aKeyOfAnotherCertificate() async throws {
        let told = try await Self.faults { certificate, _ in try await certificate.replaceCertificateAlone() }
        #expect(told.count == 1)
        #expect(told.first?.hasPrefix("AQUA_PEOPLE_KEY_FILE names") == true)
        #expect(told.first?.contains("does not fit the first certificate of AQUA_PEOPLE_CERTIFICATE_FILE") == true)
    }

    @Test func aPublicAddressWithoutTLS() async throws {
        let told = try await Self.faults { $1["AQUA_PUBLIC_URL"] = "http://water.example" }
        #expect(told.count == 1)
        #expect(told.first?.hasPrefix("AQUA_PUBLIC_URL is http://water.example") == true)
    }
}
