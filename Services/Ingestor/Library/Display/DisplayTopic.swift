import MQTT
import WaterQuality

/// The topics of a device that shows something: what it shows, and its button.
enum DisplayTopic: Equatable, Sendable {
    /// The device's display, which is retained.
    case display(Device.HardwareID)
    case button(Device.HardwareID)

    /// The subscriptions of whoever keeps displays. Presses from before are not heard: a press is of its moment. Displays
    /// are, so that those are found that nobody wants any more. A broker configured by an earlier version refuses both.
    static let subscriptions = [
        MQTTSubscription("aqua/v1/+/button", isRequired: false),
        MQTTSubscription("aqua/v1/+/display", retainHandling: .sendAtSubscribe, hearsItself: false, isRequired: false),
    ]

    /// - Returns: nil for any other topic.
    init?(_ text: String) {
        let levels = text.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count == 4, levels[0] == "aqua", levels[1] == "v1",
            let device = Device.HardwareID(String(levels[2]))
        else { return nil }
        switch levels[3] {
        case "display": self = .display(device)
        case "button": self = .button(device)
        default: return nil
        }
    }

    /// The message that a device shows from now on; an empty one takes away what it showed.
    static func message(for device: String, _ payload: [UInt8]) -> MQTTMessage {
        MQTTMessage(topic: "aqua/v1/\(device)/display", payload: payload, qos: .atMostOnce, retain: true)
    }
}
