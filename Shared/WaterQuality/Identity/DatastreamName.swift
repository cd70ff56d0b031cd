/// A Datastream of SensorThings by names that its device knows: `tank-1:temperature`, and with `:hand` behind it what people measure of the
/// same water. Ids of devices and names of parameters have no colon.
package struct DatastreamName: Hashable, Sendable, CustomStringConvertible {
    package let device: Device.HardwareID
    package let parameter: Parameter
    package let isByHand: Bool

    package init(device: Device.HardwareID, parameter: Parameter, isByHand: Bool = false) {
        self.device = device
        self.parameter = parameter
        self.isByHand = isByHand
    }

    /// - Returns: nil unless the text is written as `description` writes it: a Datastream has one name.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard parts.count == 2 || parts.count == 3 && parts[2] == Self.hand, let device = Device.HardwareID(parts[0]),
            let parameter = Parameter(name: parts[1]), parameter.name == parts[1]
        else { return nil }
        self.init(device: device, parameter: parameter, isByHand: parts.count == 3)
    }

    package var description: String { "\(device):\(parameter.name)" + (isByHand ? ":\(Self.hand)" : "") }

    private static let hand = "hand"
}

extension DatastreamName {
    /// The MQTT topic of its Observations, as the standard has it (OGC 18-088, section 14): the path behind the service's root, with the version.
    package var topic: String { Self.before + description + Self.behind }

    /// - Returns: nil for any other topic.
    package init?(topic: String) {
        let bytes = topic.utf8
        guard bytes.starts(with: Self.before.utf8), bytes.suffix(Self.behind.utf8.count).elementsEqual(Self.behind.utf8)
        else { return nil }
        let name = bytes.dropFirst(Self.before.utf8.count).dropLast(Self.behind.utf8.count)
        self.init(String(decoding: name, as: UTF8.self))
    }

    /// The filter of all such topics.
    package static let topicFilter = "v1.1/+/Observations"

    private static let before = "v1.1/Datastreams('"
    private static let behind = "')/Observations"
}
