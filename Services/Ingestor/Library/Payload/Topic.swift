import WaterQuality

/// What a device's topic says: `aqua/v1/{device}/readings` or `aqua/v1/{device}/status`.
struct Topic: Equatable, Sendable {
    enum Subject: String, Sendable {
        case readings
        case status
    }

    var device: Device.HardwareID
    var subject: Subject

    private static let prefix = "aqua/v1/"

    /// What devices write, and all that an Ingestor reads.
    static let filters = ["aqua/v1/+/readings", "aqua/v1/+/status"]
    /// The same, shared out by the broker among all Ingestors.
    static let sharedFilters = filters.map { "$share/aqua/\($0)" }

    /// - Returns: nil for anything else.
    init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let rest = text.utf8.dropFirst(Self.prefix.utf8.count)
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")),
            let device = Device.HardwareID(String(decoding: rest[..<slash], as: UTF8.self)),
            let subject = Subject(rawValue: String(decoding: rest[rest.index(after: slash)...], as: UTF8.self))
        else { return nil }
        self.device = device
        self.subject = subject
    }

    /// Whether an answer to this device may be sent there: below its own topics, and none that Ingestors read.
    ///
    /// Only what every broker takes: one that refuses a topic ends the connection, and everybody's with it.
    func allowsReceipt(to responseTopic: String) -> Bool {
        let bytes = responseTopic.utf8
        return responseTopic.hasPrefix("\(Self.prefix)\(device.text)/") && bytes.count <= 256
            && bytes.count { $0 == UInt8(ascii: "/") } <= 16
            && bytes.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "#") }
            && Topic(responseTopic) == nil
    }
}
