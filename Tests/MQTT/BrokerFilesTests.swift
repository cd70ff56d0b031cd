import Foundation
import TestSupport
import Testing

/// The files that `deploy/broker/init` writes.
@Suite struct BrokerFilesTests {
    /// A mounted secret is a link into a directory that a renewal replaces.
    @Test func aRenewedCertificateIsFoundBehindItsLink() async throws {
        try await TestBroker.with { broker in
            let files = FileManager.default
            let directory = NSTemporaryDirectory() + "aqua-\(UUID().uuidString)"
            defer { try? files.removeItem(atPath: directory) }
            try files.createDirectory(atPath: "\(directory)/tls/..first", withIntermediateDirectories: true)
            try files.createSymbolicLink(atPath: "\(directory)/tls/..data", withDestinationPath: "..first")
            for name in ["broker.pem", "broker.key"] {
                try Data().write(to: URL(filePath: "\(directory)/tls/..first/\(name)"))
                try files.createSymbolicLink(
                    atPath: "\(directory)/tls/\(name)", withDestinationPath: "..data/\(name)")
            }
            try await Self.write(directory, for: broker)
            let configuration = try String(contentsOfFile: "\(directory)/broker/mosquitto.conf", encoding: .utf8)
            #expect(configuration.contains("\ncertfile \(directory)/tls/broker.pem\n"))
            #expect(configuration.contains("\nkeyfile \(directory)/tls/broker.key\n"))
        }
    }

    /// Certificates of a fleet are for whoever chose them.
    @Test func withoutCertificatesNothingOfThemIsWritten() async throws {
        try await TestBroker.with { broker in
            let directory = NSTemporaryDirectory() + "aqua-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: directory) }
            try await Self.write(directory, for: broker)
            func read(_ name: String) throws -> String {
                try String(contentsOfFile: "\(directory)/broker/\(name)", encoding: .utf8)
            }
            #expect(try !read("mosquitto.conf").contains("require_certificate"))
            let accounts = try read("dynamic-security.json")
            #expect(!accounts.contains("aqua."))
            #expect(!accounts.contains("waiting"))
            #expect(try read("ingestor") == "aqua_ingestor\n")
        }
    }

    /// Writes `directory/broker`, with the certificate in `directory/tls`.
    private static func write(_ directory: String, for broker: TestBroker) async throws {
        try await ProcessUnderTest.run(
            Paths.repository.appending(path: "deploy/broker/init").path(percentEncoded: false),
            [
                "\(directory)/broker", "--admin-password-file", broker.passwordFile(TestBroker.admin),
                "--ingestor-password-file", broker.passwordFile(TestBroker.ingestor),
                "--certificate", "\(directory)/tls/broker.pem", "--key", "\(directory)/tls/broker.key",
            ])
    }
}
