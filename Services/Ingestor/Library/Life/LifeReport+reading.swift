import WaterQuality

extension LifeReport {
    /// The words about itself in a device's message, whichever firmware wrote it; empty where there are none.
    /// - Parameter name: The name of the sensor, on a topic without a parameter.
    /// - Throws: Where a message that is read for this alone is not what its firmware sends.
    init(_ bytes: [UInt8], on subject: Topic.Subject, name: @autoclosure () -> String) throws(JSONScanner.Fault) {
        switch subject {
        case .life(let source): try self.init(bytes, from: source)
        case .status: self.init(status: bytes)
        case .number(nil, _): self.init(sensor: name(), bytes)
        case .zigbee2MQTT: try self.init(zigbee2MQTT: bytes)
        case .shellyEvents: try self.init(shellyEvent: bytes)
        default: self.init(.native)
        }
    }

    private init(_ bytes: [UInt8], from source: LifeSource) throws(JSONScanner.Fault) {
        switch source {
        case .tasmotaState: try self.init(tasmotaState: bytes)
        case .tasmotaStart: try self.init(tasmotaStart: bytes)
        case .esphomeVersion, .esphomeReset: self.init(esphome: bytes, isVersion: source == .esphomeVersion)
        case .shellyInfo: try self.init(shellyInfo: bytes)
        }
    }
}

extension JSONScanner {
    /// A number, also one that is spelled as a text; `nil` for any other value, which is passed over.
    mutating func anyNumber() throws(Fault) -> Double? {
        switch try peek() {
        case .number: return try number()
        case .string: return Self.number(in: try string())
        case .notANumber:
            try notANumber()
            return nil
        default:
            try skipValue()
            return nil
        }
    }

    /// A text; `nil` for any other value, which is passed over.
    mutating func anyText() throws(Fault) -> String? {
        guard try peek() == .string else {
            try skipValue()
            return nil
        }
        return try string()
    }

    /// Reads the members of an object; any other value is passed over.
    mutating func forEachMemberIfObject(_ body: (String, inout JSONScanner) throws(Fault) -> Void) throws(Fault) {
        if try peek() == .object { try forEachMember(body) } else { try skipValue() }
    }
}
