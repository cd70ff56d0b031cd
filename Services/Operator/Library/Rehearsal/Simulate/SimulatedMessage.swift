import Instants
import MQTT
import WaterQuality

/// What a simulated device says, byte for byte like the firmware.
enum SimulatedMessage {
    static func readings(
        _ values: [(parameter: Parameter, value: Steps)], at time: Timestamp, device: Device.HardwareID
    ) -> MQTTMessage {
        let readings = values.map { #""\#($0.parameter.name)":\#(decimal($0.value, $0.parameter.decimals))"# }
        let payload = #"{"time":"\#(time.iso8601)","readings":{\#(readings.joined(separator: ","))}}"#
        return MQTTMessage(topic: "aqua/v1/\(device)/readings", payload: Array(payload.utf8))
    }

    /// Retained: whoever subscribes later knows it too.
    static func status(isOnline: Bool, device: Device.HardwareID) -> MQTTMessage {
        MQTTMessage(
            topic: statusTopic(device), payload: Array((isOnline ? "online" : "offline").utf8), retain: true)
    }

    static func statusTopic(_ device: Device.HardwareID) -> String { "aqua/v1/\(device)/status" }

    /// Steps of ten to the minus `decimals`: 235 is 23.5.
    private static func decimal(_ steps: Steps, _ decimals: Int) -> String {
        let digits = String(steps.count.magnitude)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
        let sign = steps.count < 0 ? "-" : ""
        return decimals == 0 ? sign + padded : "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }
}
