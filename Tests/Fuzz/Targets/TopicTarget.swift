import MQTT
import WaterQuality

@testable import Ingestor

extension FuzzTarget {
    /// A topic, and behind a line break the response topic of the same message.
    static let topic = FuzzTarget(
        "topic",
        seeds: [
            "aqua/v1/tank-1/readings\naqua/v1/tank-1/receipts", "aqua/v1/A_b-9/status",
            "aqua/v1/x/readings\naqua/v1/x/a/b",
            "$share/aqua/aqua/v1/+/readings", "aqua/v1/x/tele/SENSOR\naqua/v1/x/sensor/a/state",
            "aqua/v1/x/sensor/temperature/state\naqua/v1/x/reef-pi/ack", "aqua/v1/x/reef-pi/ph_water",
            "aqua/v1/x/zigbee2mqtt/availability", "aqua/v1/x/shelly/events/rpc\naqua/v1/x/shelly/status/a",
            "aqua/v1/x/shelly/status/temperature:100", "aqua/v1/x/senml\naqua/v1/x/zigbee2mqtt",
            "v1.1/Datastreams('x:ph')/Observations\nv1.1/Datastreams('x:temperature')/Observations",
        ],
        words: [
            "aqua/v1/", "/readings", "/status", "tank-1", "+", "#", "/", "\u{301}", "é", "\0", "aqua/v1/tank-1/",
            "tele/SENSOR", "sensor/", "/state", "reef-pi/", "zigbee2mqtt", "senml", "shelly/", "events/rpc",
            "temperature:1", "online", "v1.1/Datastreams('", ":ph", ":hand", "')/Observations",
        ]
    ) { bytes in
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let text = String(decoding: parts[0], as: UTF8.self)
        guard let topic = Topic(text) else { return }
        let starts = ["aqua/v1/\(topic.device.text)/", "v1.1/Datastreams('\(topic.device.text):"]
        try promise(starts.contains { text.utf8.starts(with: $0.utf8) }, "\(text) is of \(topic.device)")
        try promise(
            Topic.subscriptions(isShared: false).contains { matches(text, $0.filter) },
            "\(text.debugDescription) is taken for \(topic.subject), which nobody subscribes to")

        let response = String(decoding: parts.last ?? [], as: UTF8.self)
        guard topic.allowsReceipt(to: response) else { return }
        try promise(
            response.utf8.starts(with: "aqua/v1/\(topic.device.text)/".utf8),
            "an answer to \(response.debugDescription)")
        try promise(
            response.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2B && $0 != 0x23 }, "no topic to write to")
        try promise(
            !Topic.subscriptions(isShared: false).contains { matches(response, $0.filter) },
            "an answer to \(response.debugDescription), which comes back")
    }
}

/// Matches a topic like a broker, without `#`.
private func matches(_ topic: String, _ filter: String) -> Bool {
    let levels = topic.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let parts = filter.utf8.split(separator: UInt8(ascii: "/"))
    return levels.count == parts.count
        && zip(levels, parts).allSatisfy { $1.elementsEqual("+".utf8) || $0.elementsEqual($1) }
}
