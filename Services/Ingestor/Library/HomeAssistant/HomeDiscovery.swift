import Instants
import MQTT
import Routes
import WaterQuality
import Words

/// Home Assistant's messages about a device (MQTT discovery, device based): its components once, from then on its readings.
///
/// Only the hardware id is disclosed; people's names for their devices, and their limits, are theirs.
enum HomeDiscovery {
    /// Age after which Home Assistant no longer shows a value: an old measurement must not look current.
    static let expires = Duration.seconds(3 * 3_600)

    /// The device's announcement. Retained, so that Home Assistant finds the device after a restart; an empty message
    /// in its place makes it forget the device.
    static func configuration(of device: String, _ parameters: ParameterSet) -> MQTTMessage {
        var components: [JSON.Member] = [
            .init("last_reading", lastReading(device)), .init("connection", connection(device)),
        ]
        Parameter.forEach(in: parameters.mask) { components.append(.init($0.name, sensor(device, $0))) }
        return announcement(of: device, device, components)
    }

    /// An announcement of components of a device.
    /// - Parameter name: Distinguishes announcements of the same device.
    static func announcement(of device: String, _ name: String, _ components: [JSON.Member]) -> MQTTMessage {
        let document = JSON.object([
            "device": [
                "identifiers": [.string("aquamonitor_\(device)")], "name": .string(device),
                "manufacturer": .string(Brand.current.name),
            ],
            "origin": ["name": .string(Brand.current.name)],
            "components": .object(components),
        ])
        return MQTTMessage(
            topic: configurationTopic(name), payload: document.bytes, qos: .atMostOnce, retain: true)
    }

    static func configurationTopic(_ name: String) -> String { "homeassistant/device/aquamonitor_\(name)/config" }

    /// Messages with the readings, on a topic for each parameter. Not retained: Home Assistant would take the values
    /// for fresh whenever it connects.
    static func state(of device: String, _ readings: Readings, at time: Timestamp) -> [MQTTMessage] {
        func message(_ name: String, _ text: String) -> MQTTMessage {
            MQTTMessage(topic: topic(device, name), payload: Array(text.utf8), qos: .atMostOnce)
        }
        var messages = [message("last_reading", time.iso8601)]
        readings.forEachPresent { parameter, value in
            let rounded = DecimalRounding.rounded(Double(value), decimals: parameter.decimals)
            messages.append(message(parameter.name, JSON.number(rounded).text))
        }
        return messages
    }

    static func status(of device: String, isOnline: Bool) -> MQTTMessage {
        MQTTMessage(
            topic: topic(device, "connection"), payload: Array((isOnline ? "online" : "offline").utf8),
            qos: .atMostOnce,
            retain: true)
    }

    static func topic(_ device: String, _ name: String) -> String { "aquamonitor/\(device)/\(name)" }

    private static func component(_ device: String, _ name: String, _ platform: JSON, _ title: String) -> [JSON.Member]
    {
        [
            .init("platform", platform), .init("unique_id", .string("aquamonitor_\(device)_\(name)")),
            .init("name", .string(title)), .init("state_topic", .string(topic(device, name))),
        ]
    }

    private static func sensor(_ device: String, _ parameter: Parameter) -> JSON {
        var members = component(device, parameter.name, "sensor", parameter.title)
        members += [
            .init("state_class", "measurement"),
            .init("suggested_display_precision", .integer(Int64(parameter.decimals))),
            .init("expire_after", .integer(expires.components.seconds)),
        ]
        if let kind = parameter.deviceClass { members.append(.init("device_class", .string(kind))) }
        let unit = parameter.canonicalUnit.symbol
        if !unit.isEmpty { members.append(.init("unit_of_measurement", .string(unit))) }
        return .object(members)
    }

    private static func lastReading(_ device: String) -> JSON {
        .object(component(device, "last_reading", "sensor", "Last reading") + [.init("device_class", "timestamp")])
    }

    private static func connection(_ device: String) -> JSON {
        .object(
            component(device, "connection", "binary_sensor", "Connection") + [
                .init("device_class", "connectivity"), .init("payload_on", "online"), .init("payload_off", "offline"),
            ])
    }
}

extension Parameter {
    /// The name that Home Assistant shows, which people can change there.
    var title: String {
        switch self {
        case .ph: "pH"
        case .orp: "ORP"
        case .tds: "TDS"
        case .turbidityFNU: "Turbidity (infrared)"
        default:
            name.prefix(1).uppercased() + name.dropFirst().map { $0 == "_" ? " " : String($0) }.joined()
        }
    }

    /// Home Assistant's class of the quantity. A class limits the units that Home Assistant accepts, and there is none
    /// for substances dissolved in water.
    fileprivate var deviceClass: String? {
        switch self {
        case .temperature: "temperature"
        case .ph: "ph"
        case .orp: "voltage"
        default: nil
        }
    }
}
