import ServiceKit
import WaterQuality

/// Where devices reach the broker.
struct DeviceListener: Hashable, Sendable {
    /// The host, with `{slot}` for the number of the device's slot.
    let hosts: String
    let port: Int
    let usesTLS: Bool

    func host(of slot: Slot) -> String { Self.host(hosts, of: slot) }

    static func host(_ hosts: String, of slot: Slot) -> String {
        hosts.replacing("{slot}", with: "\(slot.rawValue)")
    }
}

extension ConfigurationReader {
    /// From `AQUA_DEVICE_MQTT_URL`, or else `AQUA_MQTT_DOMAIN`, with the compose file's port and TLS; nil after a fault.
    func deviceListener() -> DeviceListener? {
        guard optionalString(.deviceMQTTURL) != nil else {
            if let domain = brokerDomain() {
                return DeviceListener(hosts: domain.hosts, port: Int(DeviceBroker.defaultPort), usesTLS: true)
            }
            if optionalString(.mqttDomain) == nil {
                fault(.deviceMQTTURL, "is not set, and neither is AQUA_MQTT_DOMAIN")
            }
            return nil
        }
        let addresses = brokerAddresses(.deviceMQTTURL)
        guard addresses.count == 1, DeviceBroker(argument: addresses[0].host) != nil else {
            if !addresses[0].host.isEmpty { fault(.deviceMQTTURL, "is not one address that devices can be given") }
            return nil
        }
        return DeviceListener(hosts: addresses[0].host, port: addresses[0].port, usesTLS: addresses[0].usesTLS)
    }
}
