package import WaterQuality

/// The content of a message on a device's `readings` topic, in either shape:
///
///     {"time":"2026-05-01T12:00:00Z","readings":{"temperature":23.4,"ph":7.9}}
///     {"temperature":23.4,"ph":{"value":7.9},"time":1777636800}
///
/// The time may also be called `timestamp` or `ts`, and the readings `values`, as in ThingsBoard. A value is a number
/// in the parameter's canonical unit, which may be a string, or an object with `value` and `unit`; `null` is no value.
/// A `position` may stand beside the readings or among them.
/// A part that cannot be used is listed in `faults`, and the rest of the message still counts.
package struct ReadingsPayload: Equatable, Sendable {
    /// Larger messages are refused whole: with all parameters and units a message takes 900 bytes. The broker's
    /// `message_size_limit` is the same.
    static let largest = 4_096
    /// Most faults listed for one message.
    static let mostFaults = 16

    /// A part of the message that does not count, and why.
    package struct Fault: Equatable, Sendable {
        package var reason: RejectReason
        /// The parameter at fault, or the name that is no parameter; empty for the message as a whole.
        package var subject: String
        package var detail: String
    }

    package var time = StatedTime.receipt
    /// In canonical units.
    package var readings = Readings()
    /// Where the device says that it was.
    package var position: Position?
    private var broken: ParameterSet = []
    /// Parameters whose probes report a fault, and for which there is no value.
    package var brokenProbes: ParameterSet { broken.subtracting(ParameterSet(mask: readings.present)) }
    package var faults: [Fault] = []

    /// Empty, for the readers of other firmware to fill.
    init() {}

    /// - Throws: `RejectReason` when the message is too large or no JSON object.
    package init(_ bytes: [UInt8]) throws(RejectReason) {
        guard bytes.count <= Self.largest else { throw .tooLarge }
        do throws(JSONScanner.Fault) {
            var scanner = JSONScanner(bytes)
            try readMessage(&scanner)
            guard scanner.isAtEnd() else { throw scanner.fault }
        } catch {
            throw .malformed
        }
    }

    private mutating func readMessage(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        try scanner.expect(UInt8(ascii: "{"))
        if scanner.take(UInt8(ascii: "}")) { return }
        var hasTime = false
        repeat {
            let name = try scanner.string()
            try scanner.expect(UInt8(ascii: ":"))
            switch name {
            case "time":
                hasTime = true
                try readTime(&scanner)
            // The same time in another form, where both are there.
            case "timestamp", "ts": if hasTime { try scanner.skipValue() } else { try readTime(&scanner) }
            case "readings" where try scanner.peek() == .object: try readReadings(&scanner)
            case "values" where try scanner.peek() == .object: try readReadings(&scanner)
            default: try readValue(of: name, &scanner)
            }
        } while scanner.take(UInt8(ascii: ","))
        try scanner.expect(UInt8(ascii: "}"))
    }

    private mutating func readReadings(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        try scanner.expect(UInt8(ascii: "{"))
        if scanner.take(UInt8(ascii: "}")) { return }
        repeat {
            let name = try scanner.string()
            try scanner.expect(UInt8(ascii: ":"))
            try readValue(of: name, &scanner)
        } while scanner.take(UInt8(ascii: ","))
        try scanner.expect(UInt8(ascii: "}"))
    }

    mutating func readTime(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        switch try scanner.peek() {
        case .string: keepTime(try scanner.string())
        case .number: keepTime(epoch: try scanner.number())
        case .literal where try scanner.literal() == nil: time = .receipt
        case .literal: noteUnreadableTime("time is neither text nor a number")
        case .notANumber, .object, .array:
            try scanner.skipValue()
            noteUnreadableTime("time is neither text nor a number")
        }
    }

    /// Takes a time given as a number since 1970, whichever firmware wrote it.
    mutating func keepTime(epoch number: Double) {
        time = StatedTime(epoch: number)
        if time == .unreadable {
            noteUnreadableTime("time \(number) is no number of seconds since 1970, nor of a part of them")
        }
    }

    /// Takes a time given as text, whichever firmware wrote it.
    mutating func keepTime(_ text: String) {
        time = StatedTime(text)
        if time == .unreadable {
            noteUnreadableTime("time \(quoted(text)) is neither ISO 8601 with an offset nor Unix seconds")
        }
    }

    private mutating func noteUnreadableTime(_ detail: String) {
        time = .unreadable
        note(.badTime, detail)
    }

    private mutating func readValue(of name: String, _ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        guard let parameter = Parameter(name: name) else {
            // After the parameters, so that a reading without a position costs nothing for it.
            if name == "position" { return try readPosition(&scanner) }
            try scanner.skipValue()
            return noteUnknown(name)
        }
        try readValue(of: parameter, in: nil, &scanner)
    }

    /// - Parameter unit: The unit of a number without one; nil for the canonical unit.
    mutating func readValue(
        of parameter: Parameter, in unit: String?, _ scanner: inout JSONScanner
    ) throws(JSONScanner.Fault) {
        switch try scanner.peek() {
        case .number: keep(try scanner.number(), unit, parameter)
        case .object: try readQuantity(of: parameter, &scanner)
        case .literal:
            if try scanner.literal() != nil { note(.wrongType, "\(parameter.name) is no number", about: parameter) }
        case .notANumber:
            try scanner.notANumber()
            keep(.nan, unit, parameter)
        case .string:
            let text = try scanner.string()
            if let number = JSONScanner.number(in: text) {
                keep(number, unit, parameter)
            } else {
                noteWord(text, for: parameter)
            }
        case .array:
            try scanner.skipValue()
            note(.wrongType, "\(parameter.name) is a list", about: parameter)
        }
    }

    private mutating func noteWord(_ text: String, for parameter: Parameter) {
        // printf's words for a value that a probe could not measure.
        let isNotANumber = ["nan", "-nan", "inf", "-inf", "infinity", "-infinity"].contains(text.lowercased())
        let detail = "\(parameter.name) is the text \(quoted(text))"
        if isNotANumber { noteBroken(parameter, detail) } else { note(.wrongType, detail, about: parameter) }
    }

    /// `{"value":78.1,"unit":"°F"}`
    private mutating func readQuantity(
        of parameter: Parameter, _ scanner: inout JSONScanner
    ) throws(JSONScanner.Fault) {
        var value: Double?
        var isNull = false
        var unit: String?
        try scanner.expect(UInt8(ascii: "{"))
        if !scanner.take(UInt8(ascii: "}")) {
            repeat {
                let name = try scanner.string()
                try scanner.expect(UInt8(ascii: ":"))
                switch (name, try scanner.peek()) {
                case ("value", .number): value = try scanner.number()
                case ("value", .string): value = JSONScanner.number(in: try scanner.string())
                case ("value", .literal): isNull = try scanner.literal() == nil
                case ("value", .notANumber):
                    try scanner.notANumber()
                    value = .nan
                case ("unit", .string): unit = try scanner.string()
                default: try scanner.skipValue()
                }
            } while scanner.take(UInt8(ascii: ","))
            try scanner.expect(UInt8(ascii: "}"))
        }
        guard let value else {
            if !isNull { note(.wrongType, "\(parameter.name) has no number in \"value\"", about: parameter) }
            return
        }
        keep(value, unit, parameter)
    }

    /// Takes a value, or notes a fault: an unknown unit, a value beyond the unit, or a broken probe.
    mutating func keep(_ value: Double, _ unitText: String?, _ named: Parameter) {
        var (parameter, unit) = (named, named.canonicalUnit)
        if let unitText {
            guard let quantity = named.quantity(spelling: unitText) else {
                return note(.unknownUnit, "\(quoted(unitText)) is no unit of \(named.name)", about: named)
            }
            (parameter, unit) = quantity
        }
        switch parameter.measured(value, in: unit) {
        case .value(let canonical): readings[parameter] = canonical
        case .beyondUnit:
            note(.beyondUnit, "\(parameter.name) has no value of \(value) \(unit.rawValue)", about: parameter)
        case .brokenProbe: noteBroken(parameter, "\(parameter.name) \(value) says that its probe is broken")
        }
    }

    /// Notes that a probe reports itself broken.
    mutating func noteBroken(_ parameter: Parameter, _ detail: String) {
        broken.insert(ParameterSet(parameter))
        note(.probeFault, detail, about: parameter)
    }

    /// Notes a name that is no parameter.
    mutating func noteUnknown(_ name: String) {
        note(.unknownParameter, "no parameter is called \(quoted(name))", ForeignText.shown(name, longest: longestName))
    }

    mutating func note(_ reason: RejectReason, _ detail: String, about parameter: Parameter) {
        note(reason, detail, parameter.name)
    }

    /// Notes a part that does not count.
    mutating func note(_ reason: RejectReason, _ detail: String, _ subject: String = "") {
        guard faults.count < Self.mostFaults else { return }
        faults.append(Fault(reason: reason, subject: subject, detail: detail))
    }
}

/// Longest quotation of a device's text in a message for people, in Unicode scalars.
private let longestName = 40

/// A device's text, quoted in a message for people.
func quoted(_ text: String) -> String { "'\(ForeignText.shown(text, longest: longestName))'" }
