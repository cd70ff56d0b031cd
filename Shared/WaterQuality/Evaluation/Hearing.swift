package import Instants

/// Whether a device is heard.
package enum Hearing: Hashable, Sendable {
    /// Nothing to judge by: it has not sent three readings, or its rhythm is not known.
    case unknown
    /// It is heard, or need not have been yet.
    case heard
    case silent

    /// How many usual intervals may pass without a reading.
    private static let intervals = 3

    /// How long the device may send nothing.
    package static func allowance(usual: Duration, policy: AlertPolicy) -> Duration {
        max(usual * intervals, policy.silenceAfter)
    }

    /// - Parameters:
    ///   - heardAt: The receipt of its last reading; `nil` if there is none.
    ///   - usual: Its usual interval; `nil` where that is not known.
    ///   - listeningSince: Since when we have listened without a break. What was not heard before may be our fault, so that every
    ///     device gets a full allowance from then on.
    ///   - now: The database's clock, like the other times.
    package static func judge(
        heardAt: Timestamp?, usual: Duration?, listeningSince: Timestamp, now: Timestamp, policy: AlertPolicy
    ) -> Hearing {
        guard var heardAt, let usual else { return .unknown }
        // Stored while our own clock was ahead: we have listened anew since that was noticed.
        if heardAt > now + EventTime.furthestAhead { heardAt = listeningSince }
        return now < due(heardAt: heardAt, usual: usual, listeningSince: listeningSince, policy: policy)
            ? .heard : .silent
    }

    /// When the device is silent at the earliest.
    package static func due(
        heardAt: Timestamp, usual: Duration, listeningSince: Timestamp, policy: AlertPolicy
    ) -> Timestamp {
        max(heardAt, listeningSince) + allowance(usual: usual, policy: policy)
    }
}
