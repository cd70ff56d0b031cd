import Instants
package import WaterQuality

/// Entities by parts of their keys; a part that is nil may be anything.
///
/// A key is made of a device, a parameter, whether values were taken by hand, a moment and, of a value by hand, its test. Links are
/// arithmetic on these parts: the Datastreams of a Thing have its device, the Thing of a Datastream has its device, and so on.
package struct Selection: Hashable, Sendable {
    package var device: Int32?
    /// The same device by its own name, which ids of Datastreams have.
    package var hardwareID: Device.HardwareID?
    /// The number of a parameter, 0 to 31.
    package var parameter: Int16?
    package var isByHand: Bool?
    /// Since when a place was a device's, or when a value was measured as it is stored, in microseconds since 1970.
    package var moment: Int64?
    /// The test of a value by hand.
    package var test: UInt128?
    /// Whether only the place is meant where a device is now.
    package var isPresent = false

    package init() {}

    /// Whether all entities are of one Datastream.
    package var isOfOneDatastream: Bool {
        (device != nil || hardwareID != nil) && parameter != nil && isByHand != nil
    }

    /// The name of that Datastream.
    package var datastreamName: DatastreamName? {
        guard let hardwareID, let parameter = parameter.flatMap(Parameter.init(rawValue:)), let isByHand else {
            return nil
        }
        return DatastreamName(device: hardwareID, parameter: parameter, isByHand: isByHand)
    }

    /// Its number, with which ids of Observations begin.
    package var datastream: Int64? {
        guard let device, let parameter, let isByHand else { return nil }
        return Int64(device) << 6 | (isByHand ? 32 : 0) | Int64(parameter)
    }

    /// The entity of a set with an id; nil for what no entity of that set is called.
    package init?(_ id: EntityID, of set: EntitySet) {
        switch (set, id) {
        case (.things, .number(let number)), (.featuresOfInterest, .number(let number)):
            device = Int32(exactly: number)
        case (.datastreams, .text(let text)):
            guard let name = DatastreamName(text) else { return nil }
            hardwareID = name.device
            parameter = name.parameter.rawValue
            isByHand = name.isByHand
            return
        case (.sensors, .number(let number)):
            device = Int32(exactly: number >> 1)
            isByHand = number & 1 == 1
        case (.observedProperties, .number(let number)):
            guard (0..<32).contains(number) else { return nil }
            parameter = Int16(number)
            return
        case (.locations, .text(let text)), (.historicalLocations, .text(let text)):
            guard let (number, rest) = Self.parts(text), let since = Self.moment(rest) else { return nil }
            device = Int32(exactly: number)
            moment = since
        case (.observations, .text(let text)):
            guard let (number, rest) = Self.parts(text) else { return nil }
            take(datastream: number)
            if isByHand == true {
                guard let id = Self.uuid(rest) else { return nil }
                test = id
            } else {
                guard let time = Self.moment(rest) else { return nil }
                moment = time
            }
        default: return nil
        }
        guard let device, device > 0 else { return nil }
    }

    private mutating func take(datastream number: Int64) {
        device = Int32(exactly: number >> 6)
        isByHand = number & 32 != 0
        parameter = Int16(number & 31)
    }

    /// The id of the entity of a set; nil where parts of its key are missing.
    package func id(in set: EntitySet) -> EntityID? {
        switch set {
        case .things, .featuresOfInterest: return device.map { .number(Int64($0)) }
        case .datastreams: return datastreamName.map { .text($0.description) }
        case .sensors:
            guard let device, let isByHand else { return nil }
            return .number(Int64(device) << 1 | (isByHand ? 1 : 0))
        case .observedProperties: return parameter.map { .number(Int64($0)) }
        case .locations, .historicalLocations:
            guard let device, let moment else { return nil }
            return .text("\(device)-\(moment)")
        case .observations:
            guard let datastream else { return nil }
            if let test { return .text("\(datastream)-\(Self.text(of: test))") }
            return moment.map { .text("\(datastream)-\($0)") }
        }
    }

    /// What is left of the key behind a link.
    package func following(_ link: EntityLink, from source: EntitySet) -> Selection {
        var selection = Selection()
        if link.target != .observedProperties { (selection.device, selection.hardwareID) = (device, hardwareID) }
        switch link.target {
        case .things, .featuresOfInterest: break
        case .locations, .historicalLocations:
            selection.moment = moment
            selection.isPresent = source == .things && link.target == .locations
        case .datastreams, .observations:
            selection.parameter = parameter
            selection.isByHand = isByHand
        case .sensors: selection.isByHand = isByHand
        case .observedProperties: selection.parameter = parameter
        }
        return selection
    }

    /// What both mean; nil where they contradict each other.
    package func joined(_ other: Selection) -> Selection? {
        var joined = self
        guard Self.join(&joined.device, other.device), Self.join(&joined.hardwareID, other.hardwareID),
            Self.join(&joined.parameter, other.parameter), Self.join(&joined.isByHand, other.isByHand),
            Self.join(&joined.moment, other.moment),
            Self.join(&joined.test, other.test)
        else { return nil }
        joined.isPresent = isPresent || other.isPresent
        return joined
    }

    private static func join<Part: Equatable>(_ part: inout Part?, _ other: Part?) -> Bool {
        guard let other else { return true }
        guard part == nil || part == other else { return false }
        part = other
        return true
    }
}

extension Selection {
    /// `449-rest`; nil unless the number is written as we write it.
    private static func parts(_ text: String) -> (Int64, Substring)? {
        guard let dash = text.firstIndex(of: "-"), let number = Int64(canonical: text[..<dash]), number > 0 else {
            return nil
        }
        return (number, text[text.index(after: dash)...])
    }

    /// Microseconds since 1970, as we write them.
    private static func moment(_ text: Substring) -> Int64? {
        Int64(canonical: text).flatMap { Timestamp.sayable.contains($0) ? $0 : nil }
    }

    /// 32 hexadecimal digits with dashes, in small letters.
    private static func uuid(_ text: Substring) -> UInt128? {
        guard text.utf8.count == 36, let number = UInt128(text.filter { $0 != "-" }, radix: 16),
            Self.text(of: number) == text
        else { return nil }
        return number
    }

    static func text(of uuid: UInt128) -> String {
        let digits = String(uuid, radix: 16)
        var text = String(repeating: "0", count: 32 - digits.utf8.count) + digits
        for offset in [20, 16, 12, 8] { text.insert("-", at: text.index(text.startIndex, offsetBy: offset)) }
        return text
    }
}

extension Int64 {
    /// A number without a sign of plus, leading zeros and the like: an entity has one address.
    fileprivate init?(canonical text: Substring) {
        guard let number = Int64(text), String(number) == text else { return nil }
        self = number
    }
}
