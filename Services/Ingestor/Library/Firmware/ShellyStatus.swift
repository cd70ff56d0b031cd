import Instants
import WaterQuality

/// Temperatures of the probes on a Shelly's add-on.
///
/// Devices of the second generation and later publish whatever changed on `events/rpc`:
///
///     {"src":"shellyplus1-a8032ab636ec","dst":"aqua/v1/pond-1/shelly/events","method":"NotifyStatus",
///      "params":{"ts":1777636800.04,"temperature:100":{"id":100,"tC":23.4,"tF":74.1}}}
///
/// and, where that is switched on, each component by itself on `status/temperature:100`. `ts` is `null`, or counts from
/// the start, until the device knows the time. A component has `errors` while its probe cannot be read. The component's
/// number stays with its probe until people remove it, and so serves as the probe's Id.
///
/// Devices of the first generation publish all probes at once on `ext_temperatures`, with their addresses as Ids, and
/// report 999 for a probe that is gone:
///
///     {"0":{"hwID":"28FF641E8216031D","tC":22.5,"tF":72.5},"1":{"hwID":"28FF0A5B82160475","tC":999,"tF":999}}
///
/// Relays, voltages, humidity and the inside of the device are not water, and passed over.
struct ShellyStatus {
    /// Empty where the message is not about water.
    private(set) var payload = ReadingsPayload()
    private(set) var temperatures: ProbeTemperatures

    /// Range of a DS18B20, in °C: any other value means that it is broken.
    private static let measurable = -55.0...125

    /// - Parameters:
    ///   - subject: A subject of a Shelly's readings.
    ///   - probe: The device's temperature probe, if it is known.
    init(_ bytes: [UInt8], on subject: Topic.Subject, probe: ProbeID?) throws(JSONScanner.Fault) {
        temperatures = ProbeTemperatures(probe: probe)
        var scanner = JSONScanner(bytes)
        var isWhole = false
        switch subject {
        case .shellyEvents: isWhole = try readNotification(&scanner)
        case .shellyStatus(let id):
            let component = try Self.readComponent(&scanner)
            if let id { temperatures.add(component.value, of: id) }
        default:
            isWhole = true
            try readAddresses(&scanner)
        }
        try scanner.expectEnd()
        temperatures.choose(for: &payload, isWhole: isWhole)
    }

    /// - Returns: Whether the notification has all components.
    private mutating func readNotification(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) -> Bool {
        var (isWhole, hasStatus, time): (Bool, Bool, Double?) = (false, false, nil)
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            switch (name, try scanner.peek()) {
            case ("method", .string): isWhole = try scanner.string() == "NotifyFullStatus"
            case ("params", .object):
                hasStatus = true
                time = try readStatus(&scanner) ?? time
            default: try scanner.skipValue()
            }
        }
        guard hasStatus else { throw scanner.fault }
        if let time, !temperatures.isEmpty { payload.keepTime(epoch: time) }
        return isWhole
    }

    /// - Returns: The time of the status.
    private mutating func readStatus(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) -> Double? {
        var time: Double?
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            let token = try scanner.peek()
            if name == "ts", token == .number {
                time = try scanner.number()
            } else if token == .object, let id = ProbeID(shellyComponent: name.utf8.span) {
                temperatures.add(try Self.readComponent(&scanner).value, of: id)
            } else {
                try scanner.skipValue()
            }
        }
        return time
    }

    private mutating func readAddresses(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        try scanner.forEachMember { (_, scanner) throws(JSONScanner.Fault) in
            guard try scanner.peek() == .object else { return try scanner.skipValue() }
            let component = try Self.readComponent(&scanner)
            temperatures.add(component.value, of: component.address)
        }
    }

    private struct Component {
        var address: ProbeID?
        /// In °C.
        var value: Double?
    }

    private static func readComponent(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) -> Component {
        var (component, hasErrors) = (Component(), false)
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            switch (name, try scanner.peek()) {
            case ("hwID", .string): component.address = ProbeID(try scanner.string())
            case ("tC", _): component.value = try ProbeTemperatures.readValue(&scanner)
            case ("errors", .array):
                var list = scanner
                hasErrors = list.take(UInt8(ascii: "[")) && !list.take(UInt8(ascii: "]"))
                try scanner.skipValue()
            default: try scanner.skipValue()
            }
        }
        if hasErrors || component.value.map({ !measurable.contains($0) }) == true { component.value = .nan }
        return component
    }
}
