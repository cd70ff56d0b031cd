/// What a course measures, with the thresholds of DEVICES.md and the manual, stated here independently of the product.
enum Quantity: String, CaseIterable, Hashable, Sendable {
    case temperature, ph

    /// The parameter's number in the database.
    var number: Int { self == .temperature ? 0 : 1 }

    /// A first value that has moved by more steps than this is a suspected spike: half a degree, 0.3 pH.
    var spike: Int { self == .temperature ? 5 : 3 }

    /// The same for a value beyond a critical limit: five degrees. Courses have critical limits of temperature alone.
    static let criticalSpike = 50
}

/// A sensor's steps of a value in hundredths, halves away from zero; a step is a tenth of both quantities.
func steps(_ hundredths: Int) -> Int {
    let magnitude = (abs(hundredths) + 5) / 10
    return hundredths < 0 ? -magnitude : magnitude
}

enum Side: String, Hashable, Sendable {
    case low, high
}

/// The limits of one person for one quantity, in steps.
struct Limits: Hashable, Sendable {
    var minimum: Int?
    var maximum: Int?
    var criticalMinimum: Int?
    var criticalMaximum: Int?
    /// Seconds.
    var delay = 0
    var tellsUnstable = false

    /// The side on which a value is out of range; equal is in range.
    func side(of value: Int) -> Side? {
        if let maximum, value > maximum { return .high }
        if let minimum, value < minimum { return .low }
        return nil
    }

    func isCritical(_ value: Int) -> Bool {
        if let criticalMaximum, value > criticalMaximum { return true }
        if let criticalMinimum, value < criticalMinimum { return true }
        return false
    }

    /// The limit that a message about a value names.
    func limit(beyond side: Side, isCritical: Bool) -> Int? {
        switch side {
        case .low: isCritical ? criticalMinimum : minimum
        case .high: isCritical ? criticalMaximum : maximum
        }
    }

    /// Whether a value in range ends an episode: by a dead band of one step, which never asks past the middle of the range. Where that
    /// lies between two steps, the one before it is enough, so that a range one step wide has no dead band. A limit that is not
    /// there any more asks for nothing.
    func isBack(_ value: Int, from side: Side) -> Bool {
        switch side {
        case .high:
            guard let maximum else { return true }
            guard let minimum else { return value <= maximum - 1 }
            return value <= maximum - 1 || 2 * value <= minimum + maximum + 1
        case .low:
            guard let minimum else { return true }
            guard let maximum else { return value >= minimum + 1 }
            return value >= minimum + 1 || 2 * value >= minimum + maximum - 1
        }
    }
}

/// The people of the courses.
enum Person: String, CaseIterable, Hashable, Sendable {
    /// With the operator's interval.
    case ann
    /// With shorter intervals of their own.
    case bob, cyn
    /// With one device, whose endpoint comes and goes.
    case solo

    /// The person's own interval between two alerts, in seconds.
    var ownInterval: Int? {
        switch self {
        case .ann, .solo: nil
        case .bob: 90
        case .cyn: 150
        }
    }
}

/// One person's look at one quantity of a device.
struct Watch: Hashable, Comparable, Sendable, CustomStringConvertible {
    var person: Person
    var quantity: Quantity

    var description: String { "\(person.rawValue) \(quantity.rawValue)" }

    static func < (one: Watch, other: Watch) -> Bool { one.description < other.description }
}

/// The operator's settings, in milliseconds.
struct Policy: Hashable, Sendable {
    var interval = 240_000
    /// How old the last value may be for a jump from it to be a suspected spike; once in as long a watch holds one.
    var hold = 300_000
    /// The calm after which all is well again.
    var calm = 2_000
    /// A critical value breaks through once in as long.
    let breakThrough = 300_000
    /// Episodes that begin within this make water unstable, when there are four.
    let unstableWithin = 3_600_000
    /// Older readings are told to nobody.
    let stale = 900_000
}
