/// The values of one message, in canonical units: at most one for each parameter.
///
/// Trivial in memory (a mask and nine floats side by side): a batch of messages is one allocation.
package struct Readings: Equatable, Sendable {
    /// A mask in which bit n is set when the parameter with number n is present.
    package private(set) var present: UInt16 = 0
    private var values = InlineArray<9, Float>(repeating: 0)

    package init() {}

    package var isEmpty: Bool { present == 0 }

    package subscript(_ parameter: Parameter) -> Float? {
        get { present & parameter.bit == 0 ? nil : values[Int(parameter.rawValue)] }
        set {
            if let newValue {
                present |= parameter.bit
                values[Int(parameter.rawValue)] = newValue
            } else {
                present &= ~parameter.bit
                values[Int(parameter.rawValue)] = 0
            }
        }
    }

    /// Takes over the values that are missing here.
    /// - Returns: Whether there were any.
    package mutating func fill(from other: Readings) -> Bool {
        let missing = other.present & ~present
        for parameter in Parameter.allCases where missing & parameter.bit != 0 { self[parameter] = other[parameter] }
        return missing != 0
    }

    /// Calls `body` with each value present, in the order of the parameters' numbers.
    package func forEachPresent(_ body: (Parameter, Float) throws -> Void) rethrows {
        for parameter in Parameter.allCases where present & parameter.bit != 0 {
            try body(parameter, values[Int(parameter.rawValue)])
        }
    }

    package static func == (left: Readings, right: Readings) -> Bool {
        guard left.present == right.present else { return false }
        return Parameter.allCases.allSatisfy { left.values[Int($0.rawValue)] == right.values[Int($0.rawValue)] }
    }
}

extension Parameter {
    /// This parameter's bit in `Readings.present`.
    package var bit: UInt16 { 1 << UInt16(rawValue) }
}
