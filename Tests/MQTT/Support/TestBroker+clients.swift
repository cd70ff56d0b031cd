import BrokerControl
import Foundation
import MQTT
import TestSupport

/// The clients of these tests, through the code under test.
extension TestBroker {
    /// Starts a broker with some devices, which is stopped when `body` returns.
    static func with(
        devices: [String], bounds: [String: String] = [:], _ body: (TestBroker) async throws -> Void
    ) async throws {
        try await with(bounds: bounds) { broker in
            try await DynamicSecurity.with(broker.administrator) { security in
                try await security.ensureClients(devices.map { ($0, password(of: $0)) })
            }
            try await body(broker)
        }
    }

    static func password(of device: String) -> String { "the key of \(device)" }

    func endpoint(secure: Bool = false) -> MQTTEndpoint {
        secure
            ? MQTTEndpoint(host: "localhost", port: UInt16(tlsPort), isSecure: true)
            : MQTTEndpoint(host: "127.0.0.1", port: UInt16(port))
    }

    func ingestor(
        _ clientID: String = "ingestor-1", batch: UInt16 = 1000, secure: Bool = false
    ) throws -> MQTTConfiguration {
        var configuration = MQTTConfiguration.durable(
            endpoint: endpoint(secure: secure), clientID: clientID,
            credentials: MQTTCredentials(user: Self.ingestor, password: try password(Self.ingestor)),
            certificateAuthorityFile: secure ? authorityFile : nil, batch: batch)
        configuration.timeout = Self.patience
        return configuration
    }

    /// Long enough for any busy machine.
    private static let patience = Duration.seconds(120)

    var administrator: MQTTConfiguration {
        get throws {
            MQTTConfiguration(
                endpoint: endpoint(), clientID: "admin-\(UUID().uuidString)",
                credentials: MQTTCredentials(user: Self.admin, password: try password(Self.admin)),
                timeout: Self.patience)
        }
    }

    func device(_ id: String, secure: Bool = false) -> MQTTConfiguration {
        MQTTConfiguration(
            endpoint: endpoint(secure: secure), clientID: id,
            credentials: MQTTCredentials(user: id, password: Self.password(of: id)),
            certificateAuthorityFile: secure ? authorityFile : nil, timeout: Self.patience)
    }
}
