package import Instants

/// Judges the newest value by hand of a parameter for each of the people who share the water.
///
/// Whoever measured it has read what it means. The others are told of a value beyond their limits once, and when the next one is within them. A value
/// speaks for a day: it holds no episode open for longer, and one that is older when it is written down begins none.
package struct HandJudgement: Sendable {
    package let value: HandValue
    package let at: Timestamp
    /// The value by hand before it.
    package let former: HandValue?

    package init(_ value: HandValue, at time: Timestamp, after former: HandValue?) {
        self.value = value
        at = time
        self.former = former
    }

    /// For how long a value speaks.
    package static let lasts = Duration.seconds(86_400)

    /// What it means for one person, one after the other: a value that has gone from one side to the other ends one episode and begins another.
    /// - Parameters:
    ///   - isOwn: Whether the person has measured it.
    ///   - range: `nil` where the person has no limits.
    ///   - told: The side of which the person was told last, as far as that is charged.
    ///   - now: The database's clock.
    package func findings(
        isOwn: Bool, by range: SafeRange?, _ critical: CriticalBand, isOpen: Bool, told: Side?, now: Timestamp
    ) -> [Finding] {
        guard now - at < Self.lasts else { return [.nothing(.stale)] }
        guard let range else { return [.moot(at: at)] }
        guard let side = value.finding(by: range).side else { return [isOwn ? .moot(at: at) : .over(at: at)] }
        if isOwn { return [.lingers(.ongoing)] }
        let evidence = Finding.Evidence(
            .byHand(isCritical: false), since: at, at: at, latest: now + EventTime.furthestAhead,
            isCritical: value.isCritical(by: critical), side: side)
        let hasTurned = isOpen && (told ?? former?.finding(by: range).side ?? side) != side
        return hasTurned ? [.moot(at: at), .holds(evidence)] : [.holds(evidence)]
    }
}
