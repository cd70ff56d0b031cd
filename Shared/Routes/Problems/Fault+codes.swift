extension Fault {
    package static let missing = Fault("missing")
    package static let unknown = Fault("unknown")
    package static let repeated = Fault("repeated")
    package static let encoding = Fault("encoding")
    package static let nul = Fault("nul-character")
    package static let notText = Fault("not-text")
    package static let pattern = Fault("pattern")
    package static let notInteger = Fault("not-integer")
    package static let notNumber = Fault("not-number")
    package static let notBoolean = Fault("not-boolean")
    package static let notTimestamp = Fault("not-timestamp")
    package static let notUUID = Fault("not-uuid")
    package static let notList = Fault("not-list")
    package static let cursor = Fault("cursor")
    package static let entityTag = Fault("entity-tag")

    package static func tooShort(minimum: Int) -> Fault {
        Fault(
            "too-short",
            parameters: [.init("minimum", .integer(Int64(minimum)))])
    }

    package static func tooLong(maximum: Int) -> Fault {
        Fault(
            "too-long",
            parameters: [.init("maximum", .integer(Int64(maximum)))])
    }

    package static func tooSmall(minimum: JSON) -> Fault {
        Fault(
            "too-small",
            parameters: [.init("minimum", minimum)])
    }

    package static func tooLarge(maximum: JSON) -> Fault {
        Fault(
            "too-large",
            parameters: [.init("maximum", maximum)])
    }

    package static func tooFew(minimum: Int) -> Fault {
        Fault(
            "too-few",
            parameters: [.init("minimum", .integer(Int64(minimum)))])
    }

    package static func tooMany(maximum: Int) -> Fault {
        Fault(
            "too-many",
            parameters: [.init("maximum", .integer(Int64(maximum)))])
    }

    package static func notChoice(_ choices: [String]) -> Fault {
        Fault(
            "not-a-choice",
            parameters: [.init("choices", .string(choices.joined(separator: ", ")))])
    }
}
