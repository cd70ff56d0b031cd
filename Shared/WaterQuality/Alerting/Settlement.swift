package import Instants

/// The effect of an alert's deliveries on the alert, and on the throttle that it charged.
package struct Settlement: Hashable, Sendable {
    /// The final state of the alert; `nil` while a delivery is pending.
    package let state: Alert.State?
    package let charge: Charge
    /// Whether somebody has got it. An all-clear that was got gives back what was charged before it.
    package let isTold: Bool

    /// The effect on the charge.
    package enum Charge: Hashable, Sendable {
        case kept
        /// The charge is returned, because nobody has heard of the trouble.
        case refunded
        /// The interval begins later, because the person was told only then.
        case runsFrom(Timestamp)
    }

    /// - Parameters:
    ///   - throttle: The throttle that the alert charged, if that charge still stands.
    ///   - event: The event time for which it was charged.
    ///   - anyCancelled: Whether a delivery was cancelled: it was over before it could be sent.
    ///   - isClockTrusted: Whether our clock may say how late an acceptance was. A clock that may be ahead must not
    ///     keep anybody silent.
    package init(
        of alert: Alert.ID, charging throttle: Throttle?, event: Timestamp?, decidedAt: Timestamp,
        firstAcceptance: Timestamp?, anyPending: Bool, anyCancelled: Bool = false, isClockTrusted: Bool
    ) {
        state = anyPending ? nil : firstAcceptance != nil ? .delivered : anyCancelled ? .cancelled : .undelivered
        isTold = firstAcceptance != nil
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
