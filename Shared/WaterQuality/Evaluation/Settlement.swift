package import Instants

/// What the deliveries of an alert mean for it, and for the throttle that it charged.
package struct Settlement: Hashable, Sendable {
    /// How the alert ended; nil while a delivery is pending.
    package let state: Alert.State?
    package let charge: Charge

    /// What becomes of the charge.
    package enum Charge: Hashable, Sendable {
        case kept
        /// Nobody has heard of the trouble.
        case refunded
        /// The interval begins later, as the person was told only then.
        case runsFrom(Timestamp)
    }

    /// - Parameters:
    ///   - throttle: The one that the alert charged, if it still does.
    ///   - event: The event time for which it was charged.
    ///   - isClockTrusted: Whether our clock may say how late an acceptance was: nobody is kept silent on the word of one that may
    ///     be ahead.
    package init(
        of alert: Alert.ID, charging throttle: Throttle?, event: Timestamp?, decidedAt: Timestamp,
        firstAcceptance: Timestamp?, anyPending: Bool, isClockTrusted: Bool
    ) {
        state = anyPending ? nil : firstAcceptance == nil ? .undelivered : .delivered
        guard let throttle else {
            charge = .kept
            return
        }
        let settled = throttle.settled(
            alert: .stored(alert), event: event ?? throttle.runsFrom, decidedAt: decidedAt,
            firstAcceptance: firstAcceptance,
            anyPending: anyPending)
        charge =
            switch settled {
            case nil: .refunded
            case .some(let settled) where isClockTrusted && settled.runsFrom > throttle.runsFrom:
                .runsFrom(settled.runsFrom)
            case .some: .kept
            }
    }
}
