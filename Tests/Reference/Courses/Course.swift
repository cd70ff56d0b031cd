/// The content of one message of a device. Times are milliseconds of the course; values hundredths.
struct Reading: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        case water(Int)
        /// The error code of a broken probe, which is no value of the water.
        case sentinel
    }

    var time: Int
    var values: [Quantity: Value]
}

/// Actions of people between two bursts of readings.
enum Act: Hashable, Sendable {
    case limits(Watch, Limits)
    /// Snoozes the side of the person's last alert.
    case snooze(Watch)
    case acknowledge(Watch)
    /// Cancels a snooze or an acknowledgement.
    case wake(Watch)
    /// Makes the person's receiver refuse everything about the device, until it thaws.
    case freeze(Person)
    case thaw(Person)
    case removeEndpoint(Person)
    case addEndpoint(Person)
    /// Ends a watcher's part in the device.
    case leave(Person)
    /// Unlinks the device, and links it to another person.
    case handOver(Person, [Quantity: Limits])
}

enum CourseEvent: Hashable, Sendable {
    case reading(Reading)
    case act(Act)
}

/// The course of one device: the people and their limits, its readings, and people's actions.
struct Course: Hashable, Sendable {
    var seed: UInt64
    var owner: Person
    var watches: [Watch: Limits]
    var events: [CourseEvent]

    /// Readings from this time on are measured after the device got another owner, whenever that is.
    static let handOver = 1_000_000_000
    /// The milliseconds between the course's zero and the sending of its first burst.
    static let span = 660_000

    var people: [Person] { Person.allCases.filter { person in watches.keys.contains { $0.person == person } } }
    var quantities: [Quantity] { Quantity.allCases.filter { one in watches.keys.contains { $0.quantity == one } } }
    var readings: [Reading] {
        events.compactMap { if case .reading(let reading) = $0 { reading } else { nil } }
    }
}

extension Course: CustomStringConvertible {
    var description: String {
        let limits = watches.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
        let told = events.map { event in
            switch event {
            case .reading(let reading): "  \(reading)"
            case .act(let act): "    \(act)"
            }
        }
        return (["device of \(owner.rawValue), seed \(seed)"] + limits + told).joined(separator: "\n")
    }
}

extension Reading: CustomStringConvertible {
    var description: String {
        let shown = values.sorted { $0.key.rawValue < $1.key.rawValue }.map { quantity, value in
            switch value {
            case .water(let hundredths): "\(quantity.rawValue) \(decimal(hundredths))"
            case .sentinel: "\(quantity.rawValue) broken"
            }
        }
        return "\(seconds(time)): \(shown.joined(separator: ", "))"
    }
}

extension Limits: CustomStringConvertible {
    var description: String {
        func shown(_ steps: Int?) -> String { steps.map { decimal($0 * 10) } ?? "-" }
        var text = "\(shown(minimum))...\(shown(maximum))"
        if criticalMinimum != nil || criticalMaximum != nil {
            text += ", critical \(shown(criticalMinimum))...\(shown(criticalMaximum))"
        }
        if delay > 0 { text += ", after \(delay) s" }
        for period in periods {
            let (begins, ends) = (seconds(period.time.lowerBound), seconds(period.time.upperBound))
            text += ", from \(begins) until \(ends) \(shown(period.minimum))...\(shown(period.maximum))"
        }
        return tellsUnstable ? text + ", tells unstable" : text
    }
}

extension Act: CustomStringConvertible {
    var description: String {
        switch self {
        case .limits(let watch, let limits): "\(watch): limits \(limits)"
        case .snooze(let watch): "\(watch): snooze"
        case .acknowledge(let watch): "\(watch): acknowledge"
        case .wake(let watch): "\(watch): no snooze any more"
        case .freeze(let person): "\(person.rawValue)'s receiver refuses"
        case .thaw(let person): "\(person.rawValue)'s receiver accepts"
        case .removeEndpoint(let person): "\(person.rawValue)'s endpoint is removed"
        case .addEndpoint(let person): "\(person.rawValue)'s endpoint is added"
        case .leave(let person): "\(person.rawValue) watches no longer"
        case .handOver(let person, let limits): "the device is \(person.rawValue)'s now: \(limits)"
        }
    }
}

/// Hundredths as a decimal number.
func decimal(_ hundredths: Int) -> String {
    let digits = "\(abs(hundredths) % 100)"
    return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(digits.count == 1 ? "0" : "")\(digits)"
}

/// A time of the course, for people.
func seconds(_ time: Int) -> String {
    time >= Course.handOver
        ? "\(Double(time - Course.handOver) / 1000) s after the hand-over" : "\(Double(time) / 1000) s"
}
