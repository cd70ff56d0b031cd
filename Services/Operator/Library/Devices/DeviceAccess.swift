package import MQTT
import Postgres
import Secrets
package import ServiceKit
import Store
package import WaterQuality

/// A device's access to the broker, for whoever acts as one: the device id is the user, its derived key the password.
package struct DeviceAccess: Sendable {
    /// The first broker of the list.
    private var endpoint: MQTTEndpoint
    private let certificateAuthorityFile: String?
    /// nil where the passwords are known.
    private var keys: DeviceKeys?
    private var known: [String: String] = [:]
    /// The generation and key of devices that are in the database; any other device has its first password.
    private var rotated: [String: FindDeviceKeys.Row] = [:]

    /// From `AQUA_MQTT_URL`, `AQUA_MQTT_CA_FILE` and `AQUA_DEVICE_KEY_FILE`; nil after a fault.
    init?(reader: ConfigurationReader) {
        self.init(reader)
        keys = reader.deviceKeys()
        if keys == nil { return nil }
    }

    /// The access of one device whose password is known: from `AQUA_MQTT_URL` and `AQUA_MQTT_CA_FILE` alone.
    package init(reader: ConfigurationReader, device: Device.HardwareID, password: String) {
        self.init(reader)
        known = [device.text: password]
    }

    private init(_ reader: ConfigurationReader) {
        let addresses = reader.brokerAddresses(.mqttURL)
        endpoint = MQTTEndpoint(addresses[0])
        certificateAuthorityFile = addresses.contains(where: \.usesTLS) ? reader.optionalFile(.mqttCAFile) : nil
    }

    /// The same access at another broker of the list.
    func at(_ endpoint: MQTTEndpoint) -> DeviceAccess {
        var access = self
        access.endpoint = endpoint
        return access
    }

    /// Reads the environment, and from the database, if `AQUA_DATABASE_URL` is set, the current key of each device.
    package static func of(_ devices: [Device.HardwareID], in context: OperatorContext) async throws -> DeviceAccess {
        var access = try context.environment.require { DeviceAccess(reader: $0) }
        guard try context.environment.read({ $0.optionalString(.databaseURL) }) != nil else { return access }
        let rows = try await context.withDatabase { try await $0.execute(FindDeviceKeys(devices)) }
        access.rotated = Dictionary(uniqueKeysWithValues: rows.map { ($0.hardwareID, $0) })
        return access
    }

    package func password(of device: Device.HardwareID) -> String {
        if let password = known[device.text] { return password }
        guard let keys else { return "" }
        let first = keys.password(hardwareID: device.text, generation: 1)
        guard let row = rotated[device.text] else { return first }
        // If the key is no longer in the file the broker refuses the device, and `explained` says what to do.
        return keys.password(hardwareID: device.text, generation: row.generation, key: row.keyID) ?? first
    }

    /// A session that ends with its connection, like a device's. The broker accepts only the device's own id as client id, so
    /// this connection takes over from the real device.
    package func configuration(of device: Device.HardwareID, will: MQTTMessage? = nil) -> MQTTConfiguration {
        MQTTConfiguration(
            endpoint: endpoint, clientID: device.text,
            credentials: MQTTCredentials(
                user: device.text, password: password(of: device)),
            certificateAuthorityFile: endpoint.isSecure ? certificateAuthorityFile : nil, will: will)
    }

    /// Adds a remedy to an error of connecting or publishing as this device.
    package func explained(_ error: any Error, device: Device.HardwareID) -> any Error {
        guard let error = error as? MQTTError else { return error }
        return switch error.code {
        case .connectionRefused(.badCredentials), .connectionRefused(.notAuthorized), .notAuthorized:
            OperatorError(
                .notFound,
                "The broker at \(endpoint) refuses the device \(device). If it does not exist yet, run: aqua device add \(device)\n"
                    + "If it does, AQUA_DEVICE_KEY_FILE names another key than the one that it was added with.",
                underlying: error)
        default: error
        }
    }
}
