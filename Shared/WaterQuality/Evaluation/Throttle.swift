package import Instants

/// What keeps alerts of one watch apart. A watch that has none is free.
package struct Throttle: Hashable, Sendable {
    /// Where the interval begins, by the device's clock: the event time of the reading that was alerted, or later by as much
    /// as the first acceptance came late.
    package var runsFrom: Timestamp
    /// The charging alert while any of its deliveries is pending: newer readings then replace its text. It does not
    /// prolong the interval, so that the same readings give the same alerts whatever happens in between.
    package var pending: Alert.Reference?

    package init(runsFrom: Timestamp, pending: Alert.Reference?) {
        self.runsFrom = runsFrom
        self.pending = pending
    }

    /// Whether a reading of this event time may be alerted.
    package func isFree(at time: Timestamp, interval: Duration) -> Bool {
        time - runsFrom >= interval
    }

    /// How late the first acceptance may be before the interval runs from it.
    package static let promptness = Duration.seconds(60)

    /// The throttle after news of an alert's deliveries. When it was decided and accepted is told by the database's clock, where
    /// the interval begins by the device's, which may be hours off: the two meet only in how late the acceptance was.
    ///
    /// When every delivery has ended unaccepted nobody has heard of the trouble, so the charge is refunded. When the
    /// first acceptance came more than a minute after the decision the interval begins that much later, as the person was
    /// told only then. News of an alert that is not the pending one changes nothing.
    /// - Parameters:
    ///   - event: The event time of the reading that was alerted: where the interval began at first.
    ///   - decidedAt: When the alert was made.
    ///   - firstAcceptance: When the first delivery was accepted (a 2xx answer, or a timeout that may have been one).
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
