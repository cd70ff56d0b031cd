import WaterQuality

/// A stored value that this version does not know: the schema is newer than the binary, or was changed by hand.
package struct UnknownStoredValue: Error, CustomStringConvertible {
    package let description: String

    init(_ value: some Sendable, for type: Any.Type) {
        description = "the database holds \(value), which is no \(type)"
    }
}

extension Slot {
    init(stored value: Int16) throws {
        guard let slot = Slot(rawValue: value) else { throw UnknownStoredValue(value, for: Slot.self) }
        self = slot
    }
}

extension Parameter {
    init(stored value: Int16) throws {
        guard let parameter = Parameter(rawValue: value) else { throw UnknownStoredValue(value, for: Parameter.self) }
        self = parameter
    }
}

extension Side {
    /// The word for it in the columns `side`.
    var stored: String {
        switch self {
        case .low: "low"
        case .high: "high"
        }
    }

    init(stored value: String) throws {
        switch value {
        case "low": self = .low
        case "high": self = .high
        default: throw UnknownStoredValue(value, for: Side.self)
        }
    }
}
