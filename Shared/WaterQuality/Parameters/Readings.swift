/// The values of one message, in canonical units: at most one for each parameter.
///
/// Trivial in memory (a mask and the floats side by side): a batch of messages is one allocation.
package struct Readings: Equatable, Sendable {
    /// A mask in which bit n is set when the parameter with number n is present.
    package private(set) var present: UInt32 = 0
    private var values = PerParameter<Float>(repeating: 0)

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
        Parameter.forEach(in: missing) { self[$0] = other[$0] }
        return missing != 0
    }

    /// Calls `body` with each value present, in the order of the parameters' numbers.
    package func forEachPresent(_ body: (Parameter, Float) throws -> Void) rethrows {
        try Parameter.forEach(in: present) { try body($0, values[Int($0.rawValue)]) }
    }

    package static func == (left: Readings, right: Readings) -> Bool {
        guard left.present == right.present else { return false }
        return left.values.indices.allSatisfy { left.values[$0] == right.values[$0] }
    }
}

extension Parameter {
    /// This parameter's bit in `Readings.present` and other masks.
    package var bit: UInt32 { 1 << UInt32(rawValue) }

    /// Calls `body` with each parameter whose bit is set, in the order of their numbers. What is not set costs nothing.
    @inline(__always)
    package static func forEach(in mask: UInt32, _ body: (Parameter) throws -> Void) rethrows {
        var rest = mask
        while rest != 0 {
            try body(Parameter(number: rest.trailingZeroBitCount))
            rest &= rest - 1
        }
    }
}
