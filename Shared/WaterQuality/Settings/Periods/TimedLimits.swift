package import Instants

/// Limits of a parameter that change by the clock, ready to decide by: made once, looked up a reading.
package struct TimedLimits: Hashable, Sendable {
    package let turns: LimitTurns
    private let plain: Held
    private let periods: [Held]

    package struct Held: Hashable, Sendable {
        package let range: SafeRange
        package let rules: WatchRules
        /// The time that they are of; `nil`: they are the plain ones.
        package let time: LimitPeriod.Time?

        package init(_ range: SafeRange, _ rules: WatchRules, of time: LimitPeriod.Time? = nil) {
            self.range = range
            self.rules = rules
            self.time = time
        }
    }

    /// - Throws: A fault of limits that do not hold up, as stored ones do.
    package init(_ person: PersonalRange, _ turns: LimitTurns) throws {
        func held(_ place: LimitTurns.Place) throws -> Held {
            let held = person.held(at: place)
            return Held(
                try SafeRange(held.parameter, minimum: held.minimum, maximum: held.maximum), try held.rules,
                of: person.periods?[place]?.time)
        }
        self.turns = turns
        plain = try held(.plain)
        periods = try (person.periods?.all.indices ?? 0..<0).map { try held(LimitTurns.Place(period: $0)) }
    }

    /// The limits that hold at an instant, by a correct clock.
    package subscript(time: Timestamp) -> Held {
        guard let period = turns.place(at: time).period, periods.indices.contains(period) else { return plain }
        return periods[period]
    }

    /// Everything that holds at some time.
    package var all: [Held] { [plain] + periods }
}
