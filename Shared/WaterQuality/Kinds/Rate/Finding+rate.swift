import Instants

extension ChangeLimit {
    /// How fast a value changes, measured by the limit.
    package enum Pace: Hashable, Sendable {
        /// There are no readings to tell.
        case unknown
        case slow
        /// Not faster than the limit any more, but not yet by the dead band.
        case settling
        case fast
    }

    /// The dead band is that of ranges, and asks for no less than half the limit.
    package func pace(of change: ValueChange?, deadBand: Int32) -> Pace {
        guard let change else { return .unknown }
        let speed = abs(change.perHour.count)
        if speed > perHour.count { return .fast }
        return speed <= max(perHour.count - deadBand, perHour.count / 2) ? .slow : .settling
    }
}

extension Finding {
    /// The detector of kind rate: the meaning of a value's pace for a person. Pure and total. It stands beside the decision on the
    /// value itself, which it never changes.
    ///
    /// - Parameters:
    ///   - change: How far the value has moved within the last hour; `nil` where that is not known.
    ///   - limit: What the person set; `nil` when it was taken away, which ends the episode without a word.
    ///   - moment: When the newest reading was taken, and is decided.
    ///   - isToldOutOfRange: Whether the person was alerted that the value is out of range, and it still is. That is not
    ///     followed by another alarm about the same water.
    package static func rate(
        _ change: ValueChange?, within limit: ChangeLimit?, at moment: FoundAt, isToldOutOfRange: Bool = false,
        policy: AlertPolicy
    ) -> Finding {
        // Whether the value is steady again nobody has looked at.
        guard let limit else { return .moot(at: moment.time) }
        switch limit.pace(of: change, deadBand: policy.deadBand) {
        case .unknown, .settling: return .nothing
        case .slow: return .over(at: moment.time)
        case .fast:
            return .holds(
                moment.evidence(
                    .rate, since: change?.since ?? moment.time, withheld: isToldOutOfRange ? .outOfRange : nil))
        }
    }
}
