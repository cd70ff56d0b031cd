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
            try await ProcessUnderTest.run(
                Paths.repository.appending(path: "deploy/broker/init").path(percentEncoded: false),
                [
                    "\(directory)/broker", "--admin-password-file", broker.passwordFile(TestBroker.admin),
                    "--ingestor-password-file", broker.passwordFile(TestBroker.ingestor),
                    "--certificate", "\(directory)/tls/broker.pem", "--key", "\(directory)/tls/broker.key",
                ])
            let configuration = try String(contentsOfFile: "\(directory)/broker/mosquitto.conf", encoding: .utf8)
            #expect(configuration.contains("\ncertfile \(directory)/tls/broker.pem\n"))
            #expect(configuration.contains("\nkeyfile \(directory)/tls/broker.key\n"))
        }
    }
}
