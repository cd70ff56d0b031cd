/// Whether a device is connected, as its firmware says it.
struct Availability {
    let isOnline: Bool

    /// - Parameter subject: The subject of a status topic.
    /// - Returns: nil for any other text.
    init?(_ bytes: [UInt8], on subject: Topic.Subject) {
        guard bytes.count <= Self.longest else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        switch (subject, text) {
        case (.tasmotaWill, "Online"), (.status, "online"), (.zigbee2MQTTAvailability, "online"),
            (.shellyOnline, "true"):
            isOnline = true
        case (.tasmotaWill, "Offline"), (.status, "offline"), (.zigbee2MQTTAvailability, "offline"),
            (.shellyOnline, "false"):
            isOnline = false
        case (.zigbee2MQTTAvailability, _):
            // `{"state":"online"}`, since version 2.
            guard let state = try? Self.state(bytes), state == "online" || state == "offline" else { return nil }
            isOnline = state == "online"
        default: return nil
        }
    }

    private static let longest = 64

    private static func state(_ bytes: [UInt8]) throws(JSONScanner.Fault) -> String? {
        var scanner = JSONScanner(bytes)
        var state: String?
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            if name == "state", try scanner.peek() == .string {
                state = try scanner.string()
            } else {
                try scanner.skipValue()
            }
        }
        try scanner.expectEnd()
        return state
    }
}
