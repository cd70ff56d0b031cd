/// The quantities of a course, with the thresholds of DEVICES.md and the manual, stated here independently of the
/// product.
enum Quantity: String, CaseIterable, Hashable, Sendable {
    case temperature, ph

    /// The parameter's number in the database.
    var number: Int { self == .temperature ? 0 : 1 }

    /// The steps beyond which a first value is a suspected spike: half a degree, 0.3 pH.
    var spike: Int { self == .temperature ? 5 : 3 }

    /// The same for a value beyond a critical limit: five degrees. Only temperature has critical limits in courses.
    static let criticalSpike = 50
}

/// Converts hundredths to a sensor's steps, halves away from zero; a step is a tenth for both quantities.
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
    /// The delay in seconds.
    var delay = 0
    var tellsUnstable = false
    /// Limits at other times, which do not overlap.
    var periods: [Period] = []

    /// A time of the course with limits of its own; a limit that it leaves out holds nothing.
    struct Period: Hashable, Sendable {
        /// Whole minutes of the course, in milliseconds; the end does not belong to it.
        var time: Range<Int>
        var minimum: Int?
        var maximum: Int?
        var criticalMinimum: Int?
        var criticalMaximum: Int?
    }

    /// The limits that hold for what is measured at a time.
    func held(at time: Int) -> Limits {
        guard let period = periods.first(where: { $0.time.contains(time) }) else { return self }
        var held = self
        (held.minimum, held.maximum) = (period.minimum, period.maximum)
        (held.criticalMinimum, held.criticalMaximum) = (period.criticalMinimum, period.criticalMaximum)
        return held
    }

    /// The side on which a value is out of range; a value at the limit is in range.
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

    /// Whether a value in range ends an episode: by a dead band of one step, which never extends past the middle of the
    /// range. If the middle lies between two steps the one before it is enough, so that a range one step wide has no
    /// dead band. A removed limit has none, either.
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
    /// Has the operator's interval.
    case ann
    /// Have shorter intervals of their own.
    case bob, cyn
    /// Has one device, and an endpoint that comes and goes.
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

/// One person's watch on one quantity of a device.
struct Watch: Hashable, Comparable, Sendable, CustomStringConvertible {
    var person: Person
    var quantity: Quantity

    var description: String { "\(person.rawValue) \(quantity.rawValue)" }

    static func < (one: Watch, other: Watch) -> Bool { one.description < other.description }
}

/// The operator's settings, in milliseconds.
struct Policy: Hashable, Sendable {
    var interval = 240_000
    /// The largest age of a last value from which a jump is a suspected spike; also the time in which a watch holds at
    /// most one.
    var hold = 300_000
    /// The calm time that an all-clear requires.
    var calm = 2_000
    /// The time in which at most one critical value breaks through.
    let breakThrough = 300_000
    /// The time in which four episodes make water unstable.
    let unstableWithin = 3_600_000
    /// The age beyond which readings cause no alerts.
    let stale = 900_000
}
