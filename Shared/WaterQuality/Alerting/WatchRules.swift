/// What a person asks of a watch beside its limits: nothing, unless they choose it.
package struct WatchRules: Hashable, Sendable {
    /// For how long the water must have been out of range before it alarms, by event time.
    package let delay: Duration
    /// Wider limits, beyond which it alarms at once.
    package let critical: CriticalBand
    /// Whether water that keeps leaving the range is told once, as unstable, in place of its alarms (`Flutter`).
    package let tellsUnstable: Bool
    /// How much the value may change within an hour; `nil`: as much as it does.
    package let changeLimit: ChangeLimit?
    /// How long before a limit is reached it is told; `nil`: it is not.
    package let ahead: Duration?

    package static let none = WatchRules()
    package static let delayBounds: ClosedRange<Duration> = .zero...(.seconds(86_400))
    /// What is nearer than a quarter of an hour is told by the limit itself; nobody knows further ahead than six hours.
    package static let aheadMinutes = 15...360
    package static let aheadBounds: ClosedRange<Duration> =
        .seconds(aheadMinutes.lowerBound * 60)...(.seconds(aheadMinutes.upperBound * 60))

    package init(
        delay: Duration = .zero, critical: CriticalBand = .none, tellsUnstable: Bool = false,
        changeLimit: ChangeLimit? = nil, ahead: Duration? = nil
    ) {
        self.delay = min(max(delay, Self.delayBounds.lowerBound), Self.delayBounds.upperBound)
        self.critical = critical
        self.tellsUnstable = tellsUnstable
        self.changeLimit = changeLimit
        self.ahead = ahead.map { min(max($0, Self.aheadBounds.lowerBound), Self.aheadBounds.upperBound) }
    }

    /// How long after a critical alarm the throttle holds even against the next one: a probe that trembles between fine
    /// and critical opens an episode with each tremble.
    static let pauseBetweenCritical = Duration.seconds(5 * 60)
}

/// The values that a person wants to hear of at once, as limits that lie beyond those of their range.
package struct CriticalBand: Hashable, Sendable {
    private let lower: Int32
    private let upper: Int32

    private static let noLower = Int32.min
    private static let noUpper = Int32.max

    package static let none = CriticalBand()

    private init() {
        lower = Self.noLower
        upper = Self.noUpper
    }

    /// Why critical limits were refused. `description` is a sentence for the person who set them.
    package enum Fault: Error, Hashable, CustomStringConvertible {
        /// The critical minimum is not below a minimum.
        case minimumNotBelow(Parameter)
        case maximumNotAbove(Parameter)
        case minimumBeyondSensor(Parameter)
        case maximumBeyondSensor(Parameter)

        package var description: String {
            switch self {
            case .minimumNotBelow(let parameter):
                """
                The critical minimum of \(parameter.name) must be below its minimum; lower the critical minimum, or take \
                it away, first.
                """
            case .maximumNotAbove(let parameter):
                """
                The critical maximum of \(parameter.name) must be above its maximum; raise the critical maximum, or take \
                it away, first.
                """
            case .minimumBeyondSensor(let parameter):
                "The critical minimum of \(parameter.name) must be a value that its sensor measures."
            case .maximumBeyondSensor(let parameter):
                "The critical maximum of \(parameter.name) must be a value that its sensor measures."
            }
        }
    }

    /// - Throws: `Fault` when a critical limit does not lie beyond a limit of the range on its side.
    package init(beyond range: SafeRange, minimum: Steps?, maximum: Steps?) throws(Fault) {
        if let minimum {
            guard let limit = range.minimum, minimum < limit else { throw .minimumNotBelow(range.parameter) }
        }
        if let maximum {
            guard let limit = range.maximum, maximum > limit else { throw .maximumNotAbove(range.parameter) }
        }
        lower = minimum?.count ?? Self.noLower
        upper = maximum?.count ?? Self.noUpper
    }

    /// Whether a value is beyond the critical limit. Equal to it is not.
    package func isExceeded(by value: Steps) -> Bool { value.count < lower || value.count > upper }

    /// The critical limit on a side.
    package func limit(on side: Side) -> Steps? {
        switch side {
        case .low: lower == Self.noLower ? nil : Steps(lower)
        case .high: upper == Self.noUpper ? nil : Steps(upper)
        }
    }
}
