import MQTT
import Postgres
import Secrets
import ServiceKit
import Store
import WaterQuality

/// How simulated and replayed devices reach the broker: the device id is the user, its derived key the password.
struct DeviceAccess: Sendable {
    private let endpoint: MQTTEndpoint
    private let certificateAuthorityFile: String?
    /// nil where the passwords are known.
    private var keys: DeviceKeys?
    private var known: [String: String] = [:]
    /// Of devices that the database told of; any other has its first.
    private var rotated: [String: FindDeviceKeys.Row] = [:]

    /// From `AQUA_MQTT_URL`, `AQUA_MQTT_CA_FILE` and `AQUA_DEVICE_KEY_FILE`; nil after a fault.
    init?(reader: ConfigurationReader) {
        self.init(reader)
        keys = reader.deviceKeys()
        if keys == nil { return nil }
    }

    /// Of one device whose password is known: from `AQUA_MQTT_URL` and `AQUA_MQTT_CA_FILE` alone.
    init(reader: ConfigurationReader, device: Device.HardwareID, password: String) {
        self.init(reader)
        known = [device.text: password]
    }

    private init(_ reader: ConfigurationReader) {
        let url = reader.serverURL(.mqttURL, schemes: ["mqtt", "mqtts"])
        let isSecure = url.scheme == "mqtts"
        endpoint = MQTTEndpoint(
            host: url.host, port: UInt16(clamping: url.port ?? (isSecure ? 8883 : 1883)), isSecure: isSecure)
        certificateAuthorityFile = isSecure ? reader.optionalFile(.mqttCAFile) : nil
    }

    /// From the environment. Which key a device has now, the database knows, where `AQUA_DATABASE_URL` names one.
    static func of(_ devices: [Device.HardwareID], in context: OperatorContext) async throws -> DeviceAccess {
        var access = try context.environment.require { DeviceAccess(reader: $0) }
        guard try context.environment.read({ $0.optionalString(.databaseURL) }) != nil else { return access }
        let rows = try await context.withDatabase { try await $0.execute(FindDeviceKeys(devices)) }
        access.rotated = Dictionary(uniqueKeysWithValues: rows.map { ($0.hardwareID, $0) })
        return access
    }

    func password(of device: Device.HardwareID) -> String {
        if let password = known[device.text] { return password }
        guard let keys else { return "" }
        let first = keys.password(hardwareID: device.text, generation: 1)
        guard let row = rotated[device.text] else { return first }
        // Of a key that is not there any more the broker says no, and `explained` what to do.
        return keys.password(hardwareID: device.text, generation: row.generation, key: row.keyID) ?? first
    }

    /// A session that ends with its connection, like a device's. The broker lets a device in under its own id alone, so whoever
    /// uses that at this moment is thrown out.
    func configuration(of device: Device.HardwareID, will: MQTTMessage? = nil) -> MQTTConfiguration {
        MQTTConfiguration(
            endpoint: endpoint, clientID: device.text,
            credentials: MQTTCredentials(
                user: device.text, password: password(of: device)),
            certificateAuthorityFile: certificateAuthorityFile, will: will)
    }

    /// Says what to do about an error of connecting or publishing as this device.
    func explained(_ error: any Error, device: Device.HardwareID) -> any Error {
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
