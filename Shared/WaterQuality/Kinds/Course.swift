package import Instants

/// The last readings of a parameter, as far as a kind of alert follows from their course.
///
/// The memory follows from the readings of a bounded time, so that it can be read again from what is stored.
package protocol Course: Sendable {
    static var kind: Alert.Kind { get }

    /// How far back the readings lie that it follows from.
    static var reach: Duration { get }

    init()

    /// - Parameter latest: The latest time that an earlier reading can rightly carry (`EventTime.latest`). A later one is void.
    /// - Returns: Whether the reading counts: it is the first of its interval, and newer than the others.
    mutating func add(_ reading: Reading, latest: Timestamp) -> Bool

    /// Whether a person asks to be told of it.
    static func isAsked(by rules: WatchRules) -> Bool

    /// Finds the meaning of the course for a person.
    func find(
        for wishes: CourseWishes, at moment: FoundAt, isToldOutOfRange: Bool, policy: AlertPolicy
    ) -> CourseFinding
}

/// The kinds that follow from the course of a value: a line for each.
package enum Courses {
    package static let all: [any Course.Type] = [RecentReadings.self, Trend.self]

    /// How far back the readings lie that any of them follows from.
    package static let reach = all.map { $0.reach }.max() ?? .zero
}

/// A person's wishes about the course of a value.
package struct CourseWishes: Hashable, Sendable {
    package var rules: WatchRules
    /// `nil` where the person has set no limits.
    package var range: SafeRange?
    /// Readings before it do not count: somebody else's water, or another probe's.
    package var start: Timestamp?

    package init(_ rules: WatchRules, range: SafeRange?, since start: Timestamp? = nil) {
        self.rules = rules
        self.range = range
        self.start = start
    }
}

/// The meaning of a value's course for a person.
package struct CourseFinding: Hashable, Sendable {
    package var finding: Finding
    /// The content of an alert about the course; always there where the finding holds.
    package var shown: Shown?

    package enum Shown: Hashable, Sendable {
        case change(ValueChange, limit: ChangeLimit)
        case outlook(Outlook)

        package var change: ValueChange? { if case .change(let change, _) = self { change } else { nil } }

        package var outlook: Outlook? { if case .outlook(let outlook) = self { outlook } else { nil } }

        /// High where the value rose, or reaches a maximum.
        package var side: Side {
            switch self {
            case .change(let change, _): change.by > Steps(0) ? .high : .low
            case .outlook(let outlook): outlook.side
            }
        }

        /// The value that was reached, or the newest reading.
        package var value: Steps {
            switch self {
            case .change(let change, _): change.to
            case .outlook(let outlook): outlook.value
            }
        }

        /// - Parameter lag: The constant lag of the device's clock.
        package func content(of parameter: Parameter, lag: Duration) -> Alert.Content {
            switch self {
            case .change(let change, let limit):
                .rate(
                    RateContent(
                        parameter: parameter,
                        change: RateContent.Change(
                            by: parameter.value(of: change.by), within: change.within,
                            value: parameter.value(of: change.to), limit: parameter.value(of: limit.perHour))))
            case .outlook(let outlook):
                .ahead(
                    AheadContent(
                        parameter: parameter,
                        outlook: AheadContent.Outlook(
                            side: outlook.side, value: parameter.value(of: outlook.value),
                            limit: parameter.value(of: outlook.limit), expectedAt: outlook.at + lag)))
            }
        }
    }
}

extension RecentReadings: Course {
    package static let kind = Alert.Kind.rate

    package static func isAsked(by rules: WatchRules) -> Bool { rules.changeLimit != nil }

    package func find(
        for wishes: CourseWishes, at moment: FoundAt, isToldOutOfRange: Bool, policy: AlertPolicy
    ) -> CourseFinding {
        let limit = wishes.rules.changeLimit
        let change = change(since: wishes.start ?? .distantPast)
        let finding = Finding.rate(
            change, within: limit, at: moment, isToldOutOfRange: isToldOutOfRange, policy: policy)
        guard let change, let limit else { return CourseFinding(finding: finding) }
        return CourseFinding(finding: finding, shown: .change(change, limit: limit))
    }
}

extension Trend: Course {
    package static let kind = Alert.Kind.ahead

    package static func isAsked(by rules: WatchRules) -> Bool { rules.ahead != nil }

    package func find(
        for wishes: CourseWishes, at moment: FoundAt, isToldOutOfRange: Bool, policy: AlertPolicy
    ) -> CourseFinding {
        guard let ahead = wishes.rules.ahead, let range = wishes.range,
            let heading = line(since: wishes.start ?? .distantPast)?.heading(in: range, within: ahead)
        else { return CourseFinding(finding: .moot(at: moment.time)) }
        let finding = Finding.ahead(heading, at: moment, isToldOutOfRange: isToldOutOfRange)
        guard case .toward(let outlook) = heading else { return CourseFinding(finding: finding) }
        return CourseFinding(finding: finding, shown: .outlook(outlook))
    }
}
