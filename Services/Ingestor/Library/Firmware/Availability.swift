/// Whether a device is connected, as its firmware says it.
struct Availability {
    let isOnline: Bool

    /// - Parameter subject: The subject of a status topic.
    /// - Returns: nil for any other text.
    init?(_ bytes: [UInt8], on subject: Topic.Subject) {
        guard bytes.count <= (subject == .status ? Self.longestStatus : Self.longest) else { return nil }
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
            guard let state = try? Self.word("state", bytes), state == "online" || state == "offline" else {
                return nil
            }
            isOnline = state == "online"
        case (.status, _):
            // An object that says more of the device (`LifeReport`): it is online, unless it says otherwise.
            guard let state = try? Self.word("status", bytes), ["", "online", "offline"].contains(state) else {
                return nil
            }
            isOnline = state != "offline"
        default: return nil
        }
    }

    private static let longest = 64
    private static let longestStatus = 512

    /// - Returns: The text of a member; empty without it.
    private static func word(_ member: String, _ bytes: [UInt8]) throws(JSONScanner.Fault) -> String {
        var scanner = JSONScanner(bytes)
        var state = ""
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            if name == member, try scanner.peek() == .string {
                state = try scanner.string()
            } else {
                try scanner.skipValue()
            }
        }
        try scanner.expectEnd()
        return state
    }
}
