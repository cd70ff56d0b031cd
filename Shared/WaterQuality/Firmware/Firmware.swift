/// Firmware of a device: one case for each kind of set-up.
package enum Firmware: String, CaseIterable, Encodable, Sendable {
    /// Firmware written for this service.
    case native
    case tasmota
    case esphome
    case zigbee2mqtt
    case senml
    case sensorThings = "sensorthings"
    case reefPi = "reef-pi"
    /// Shelly devices of the second generation and later.
    case shelly
    case shellyGen1 = "shelly-gen1"

    /// The name that its makers gave it.
    package var title: String {
        switch self {
        case .native: "AquaMonitor"
        case .tasmota: "Tasmota"
        case .esphome: "ESPHome"
        case .zigbee2mqtt: "Zigbee2MQTT"
        case .senml: "SenML"
        case .sensorThings: "SensorThings"
        case .reefPi: "reef-pi"
        case .shelly: "Shelly Plus, Pro, Gen3"
        case .shellyGen1: "Shelly 1, 1PM"
        }
    }
}
