/// Content of an alert of kind range: a value is, or was, beyond a limit.
package struct RangeContent: Hashable, Sendable {
    package var parameter: Parameter
    package var side: Side
    /// The reading in the text; in an all-clear, the one that is back in range.
    package var value: Float
    /// The value furthest out of the episode so far.
    package var worst: Float
    /// The limit that was crossed; `nil` where the person has none on that side any more.
    package var limit: Float?
    /// Whether the value is beyond what the sensor can measure.
    package var checkProbe: Bool
    /// Whether the value is beyond the critical limit, which `limit` then is.
    package var isCritical: Bool
    /// Whether the alert says that the value keeps leaving its range, in place of its alarms.
    package var isUnstable: Bool
    /// Whether the alert says that the value is still out of range after somebody has worked on the water.
    package var isAfterWork: Bool
    /// The time that the limit is of; `nil`: it is the plain one.
    package var limitTime: LimitPeriod.Time?

    package init(
        parameter: Parameter, side: Side, value: Float, worst: Float, limit: Float?, checkProbe: Bool = false,
        isCritical: Bool = false, isUnstable: Bool = false, isAfterWork: Bool = false,
        limitTime: LimitPeriod.Time? = nil
    ) {
        self.parameter = parameter
        self.side = side
        self.value = value
        self.worst = worst
        self.limit = limit
        self.checkProbe = checkProbe
        self.isCritical = isCritical
        self.isUnstable = isUnstable
        self.isAfterWork = isAfterWork
        self.limitTime = limitTime
    }

    /// The content of an alert of an open episode.
    /// - Parameters:
    ///   - value: The reading that was decided on.
    ///   - range: The person's range and rules, for the limit that was crossed.
    ///   - time: What these are of.
    package init(
        _ episode: Episode, of parameter: Parameter, value: Float, _ decision: Decision, isUnstable: Bool,
        by range: SafeRange, _ rules: WatchRules, of time: LimitPeriod.Time? = nil
    ) {
        guard let excursion = episode.excursion else { preconditionFailure("an episode of kind range has a side") }
        let limit = decision.isCritical ? rules.critical.limit(on: excursion.side) : range.limit(on: excursion.side)
        self.init(
            parameter: parameter, side: excursion.side, value: value, worst: parameter.value(of: excursion.worst),
            limit: limit.map(parameter.value(of:)), checkProbe: decision.checkProbe, isCritical: decision.isCritical,
            isUnstable: isUnstable, isAfterWork: decision.isAfterWork, limitTime: time)
    }
}
