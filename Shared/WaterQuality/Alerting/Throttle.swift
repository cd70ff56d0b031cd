package import Instants

/// The minimum distance between alerts of one side of a watch. A side without a throttle is free.
package struct Throttle: Hashable, Sendable {
    /// The start of the interval, by the device's clock: the event time of the alerted reading, plus the delay of a
    /// late first acceptance.
    package var runsFrom: Timestamp
    /// The alert that charged the throttle, while any of its deliveries is pending. Newer readings then replace its
    /// text. A pending alert does not prolong the interval, so the same readings give the same alerts whatever happens
    /// in between.
    package var pending: Alert.Reference?
    /// Whether that alert was of a value beyond the critical limit.
    package var isCritical: Bool
    /// Whether that alert said that the water is unstable (`Flutter`).
    package var isUnstable: Bool

    package init(
        runsFrom: Timestamp, pending: Alert.Reference?, isCritical: Bool = false, isUnstable: Bool = false
    ) {
        self.runsFrom = runsFrom
        self.pending = pending
        self.isCritical = isCritical
        self.isUnstable = isUnstable
    }

    /// Whether a reading of this event time may be alerted.
    package func isFree(at time: Timestamp, interval: Duration) -> Bool {
        time - runsFrom >= interval
    }

    /// The greatest delay of the first acceptance that leaves the interval's start unchanged.
    package static let promptness = Duration.seconds(60)

    /// The throttle after an update on its alert's deliveries. The decision and the acceptance are timed by the
    /// database's clock. The interval is timed by the device's clock, which may be hours off. Only the delay of the
    /// acceptance carries over from one to the other.
    ///
    /// The charge is refunded when every delivery has ended unaccepted, because nobody has heard of the trouble. If the
    /// first acceptance came more than a minute after the decision, the interval begins that much later, because the
    /// person was told only then. An update on an alert that is not the pending one changes nothing.
    /// - Parameters:
    ///   - event: The event time of the alerted reading, where the interval began at first.
    ///   - decidedAt: The time at which the alert was decided.
    ///   - firstAcceptance: The time of the first accepted delivery (a 2xx answer, or a timeout that may have been
    ///     one).
    ///   - anyPending: Whether a delivery may still be tried.
    /// - Returns: `nil` when the charge is refunded.
    package func settled(
        alert: Alert.Reference, event: Timestamp, decidedAt: Timestamp, firstAcceptance: Timestamp?, anyPending: Bool
    ) -> Throttle? {
        guard pending == alert else { return self }
        var next = self
        if !anyPending {
            guard firstAcceptance != nil else { return nil }
            next.pending = nil
        }
        if let firstAcceptance, firstAcceptance - decidedAt > Self.promptness {
            next.runsFrom = max(runsFrom, event + (firstAcceptance - decidedAt))
        }
        return next
    }
}
