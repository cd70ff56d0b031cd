import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The limits that hold just now, and until when.
struct HeldLimits: Sendable {
    /// The time to look ahead: later turns are asked for then.
    static let known = Duration.seconds(2 * 86_400)

    let range: PersonalRange
    let until: Timestamp

    /// - Parameter now: A time of which the turns are known.
    init(_ range: PersonalRange, _ turns: LimitTurns, now: Timestamp) {
        self.range = range.held(at: turns.place(at: now))
        until = turns.next(after: now) ?? now + Self.known
    }

    static let output = Output<HeldLimits>.object(
        "HeldLimits", "The limits that hold just now.", own + HeldLimits.limits { $0.range })

    private static let own: [OutputMember<HeldLimits>] = [
        .member(
            "period", .optional(of: .integer),
            "The period that holds, from 0; null: none, so that the plain limits do.",
            example: 0
        ) { $0.range.place.period },
        .member("until", .timestamp, "When to ask again at the latest: something else may hold then.") { $0.until },
    ]

    /// Four limits, in the person's unit.
    static func limits<Value: Sendable>(_ range: @escaping @Sendable (Value) -> PersonalRange) -> [OutputMember<Value>]
    {
        func member(
            _ name: String, _ text: String, _ limit: @escaping @Sendable (PersonalRange) -> Steps?
        ) -> OutputMember<Value> {
            .member(name, .optional(of: .decimal), text, example: 4.5) { value in
                let held = range(value)
                return limit(held).map(held.shown)
            }
        }
        return [
            member("minimum", "The least value that is in range; null: there is none.") { $0.minimum },
            member("maximum", "The greatest; null: there is none.") { $0.maximum },
            member("criticalMinimum", "A value below this one alarms at once; null: there is none.") {
                $0.criticalMinimum
            },
            member("criticalMaximum", "A value above this one does; null: there is none.") { $0.criticalMaximum },
        ]
    }
}

/// A period of a parameter's limits.
struct ShownPeriod: Sendable {
    let period: LimitPeriod
    /// The range while it holds.
    let range: PersonalRange

    static func all(of range: PersonalRange) -> [ShownPeriod] {
        (range.periods?.all ?? []).enumerated().map { index, period in
            ShownPeriod(period: period, range: range.held(at: LimitTurns.Place(period: index)))
        }
    }

    static let output = Output<ShownPeriod>.object(
        "LimitPeriod", "A time of day, a season, or both, with limits of its own.", own + HeldLimits.limits { $0.range }
    )

    private static let own: [OutputMember<ShownPeriod>] = [
        .member(
            "from", .optional(of: .text), "When it begins on each of its days; null: it lasts all day.",
            example: "04:00"
        ) { $0.period.hours.map { TimeOfDay.text(of: $0.begins) } },
        .member(
            "until", .optional(of: .text), "When it ends: on the next day where that is earlier.", example: "07:00"
        ) { $0.period.hours.map { TimeOfDay.text(of: $0.ends) } },
        .member(
            "firstDay", .optional(of: .text),
            "The first day of its season, month and day; null: it is of all year.",
            example: "11-01"
        ) { $0.period.season?.first.text },
        .member(
            "lastDay", .optional(of: .text),
            "The last day, which belongs to it: of the next year where that is earlier in the year.",
            example: "03-15"
        ) { $0.period.season?.last.text },
    ]
}

/// Limits of a stretch of time.
struct LimitStep: Sendable {
    let time: Range<Timestamp>
    let range: PersonalRange

    static let output = Output<LimitStep>.object(
        "LimitStep", "A time in which the same limits hold.", own + HeldLimits.limits { $0.range })

    private static let own: [OutputMember<LimitStep>] = [
        .member("from", .timestamp, "When they begin to.") { $0.time.lowerBound },
        .member("until", .timestamp, "When they end.") { $0.time.upperBound },
        .member("period", .optional(of: .integer), "The period, from 0; null: the plain limits.", example: 0) {
            $0.range.place.period
        },
    ]
}

extension PostgresTransaction {
    /// Parameters as they are shown, each with the limits that hold just now where they change by the clock.
    func shown(_ parameters: [PersonParameter]) throws -> [PersonParameter] {
        guard parameters.contains(where: { $0.setting.periods != nil }), let now = try execute(ReadClock()).first else {
            return parameters
        }
        let turns = try turns(of: parameters.map(\.range), in: now..<now + HeldLimits.known)
        return zip(parameters, turns).map { parameter, turns in
            guard parameter.setting.periods != nil else { return parameter }
            var parameter = parameter
            parameter.held = HeldLimits(parameter.range, turns, now: now)
            return parameter
        }
    }
}
