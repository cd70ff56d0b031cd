package import Instants

/// The days on which something recurs: the part of RFC 5545 that keepers need (`FREQ`, `INTERVAL`, `BYDAY`, `BYMONTHDAY`, `UNTIL`, `COUNT`;
/// weeks begin on Monday), and the rhythm that RFC 5545 does not have, so many days after it was done.
package struct Recurrence: Hashable, Sendable {
    package enum Pattern: Hashable, Sendable {
        case daily(interval: Int)
        /// On days of the week, from 1, Monday; one of them at least.
        case weekly(interval: Int, days: Set<Int>)
        /// On a day of the month, or on the last (-1). A month without the day is left out.
        case monthly(interval: Int, day: Int)
        /// On the first to fifth such weekday of the month, or the last (-1).
        case monthlyWeekday(interval: Int, weekday: Int, which: Int)
        case yearly(interval: Int)
        /// So many days after it was done, or left out.
        case afterDone(days: Int)
    }

    package enum End: Hashable, Sendable {
        case never
        /// The last day on which it may be.
        case until(CivilDay)
        /// How often it is in all.
        case count(Int)
    }

    package var pattern: Pattern
    package var end: End

    package init(_ pattern: Pattern, end: End = .never) {
        self.pattern = pattern
        self.end = end
    }

    /// Bounds that inputs have, and rows by their constraints.
    package static let intervals = 1...366
    package static let counts = 1...1000

    package var isAfterDone: Bool {
        if case .afterDone = pattern { true } else { false }
    }

    /// The shortest time between two occurrences, in days: half of it is how early an occurrence may be done.
    package var shortestGap: Int {
        switch pattern {
        case .daily(let interval): interval
        case .weekly(let interval, let days):
            // From each to the next, and from the last to the first of the next week that counts.
            zip(days.sorted(), days.sorted().dropFirst()).map { $1 - $0 }
                .reduce((days.min() ?? 0) + 7 * interval - (days.max() ?? 0), min)
        case .monthly(let interval, _), .monthlyWeekday(let interval, _, _): 28 * interval
        case .yearly(let interval): 365 * interval
        case .afterDone(let days): days
        }
    }
}

extension Recurrence {
    /// The days of a recurrence that begins on a day. Nothing of the rhythm after completion is known before it is done.
    package struct Days: Sendable {
        let pattern: Pattern
        /// The first day: the first that fits, on or after the one that was asked for. (What a first day means that does not fit its rule is
        /// undefined in RFC 5545.)
        package let first: CivilDay
        /// The last day, where there is one.
        package let last: CivilDay?

        /// No rule with a day that recurs at all leaves out more periods.
        private static let mostEmpty = 800
        /// Nothing is planned beyond.
        private static let horizon = CivilDay(number: 84_006)  // 2200-01-01

        /// - Returns: `nil` for a rhythm without a day within sight, and for one that is counted from what was done.
        package init?(_ recurrence: Recurrence, from start: CivilDay) {
            guard !recurrence.isAfterDone else { return nil }
            let every = recurrence.pattern.everyPeriod
            guard let first = Days(every, first: start, last: nil).next(from: start) else { return nil }
            let unbounded = Days(recurrence.pattern, first: first, last: nil)
            switch recurrence.end {
            case .never: self = unbounded
            case .until(let last): self = Days(recurrence.pattern, first: first, last: last)
            case .count(let count):
                let counted = Array(unbounded.upward(from: first).prefix(count))
                self = Days(recurrence.pattern, first: first, last: counted.last)
            }
        }

        private init(_ pattern: Pattern, first: CivilDay, last: CivilDay?) {
            self.pattern = pattern
            self.first = first
            self.last = last
        }

        /// The days from one on, in their order.
        package func upward(from day: CivilDay) -> UnfoldSequence<CivilDay, (Int, ArraySlice<CivilDay>)> {
            let start = max(day, first)
            var empty = 0
            return sequence(state: (pattern.period(of: start, since: first), [])) { state in
                while true {
                    if let next = state.1.popFirst() {
                        guard next <= last ?? Self.horizon else { return nil }
                        empty = 0
                        return next
                    }
                    guard empty < Self.mostEmpty else { return nil }
                    empty += 1
                    state.1 = pattern.days(ofPeriod: state.0, since: first).filter { $0 >= start }[...]
                    state.0 += 1
                }
            }
        }

        /// The first day from one on.
        package func next(from day: CivilDay) -> CivilDay? { upward(from: day).first { _ in true } }

        /// The days up to one, the last first.
        package func downward(from day: CivilDay) -> UnfoldSequence<CivilDay, (Int, ArraySlice<CivilDay>)> {
            let end = min(day, last ?? day)
            return sequence(state: (end < first ? -1 : pattern.period(of: end, since: first), [])) { state in
                while state.1.isEmpty, state.0 >= 0 {
                    state.1 = pattern.days(ofPeriod: state.0, since: first).filter { $0 >= first && $0 <= end }[...]
                    state.0 -= 1
                }
                return state.1.popLast()
            }
        }

        package func contains(_ day: CivilDay) -> Bool { next(from: day) == day }
    }
}
