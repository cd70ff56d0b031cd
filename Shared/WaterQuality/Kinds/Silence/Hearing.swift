package import Instants

/// Whether a device is heard.
package enum Hearing: Hashable, Sendable {
    /// Nothing to judge by: nothing has come yet, or of a parameter too little.
    case unknown
    /// It is heard, or need not have been yet.
    case heard
    case silent

    /// How many usual intervals may pass without a reading.
    static let intervals = 3

    /// How long the device may send nothing.
    package static func allowance(usual: Duration, policy: AlertPolicy) -> Duration {
        max(usual * intervals, policy.silenceAfter)
    }

    /// The shortest pause that makes a difference to the allowance.
    package static func shortestPause(_ silenceAfter: Duration) -> Duration { silenceAfter / intervals }

    /// - Parameters:
    ///   - heardAt: The receipt of its last reading; `nil` if there is none.
    ///   - allowance: How long it may send nothing; `nil` where that is not known.
    ///   - listeningSince: Since when we have listened without a break. What was not heard before may be our fault, so that every
    ///     device gets a full allowance from then on.
    ///   - now: The database's clock, like the other times.
    package static func judge(
        heardAt: Timestamp?, allowance: Duration?, listeningSince: Timestamp, now: Timestamp
    ) -> Hearing {
        guard var heardAt, let allowance else { return .unknown }
        // Stored while our own clock was ahead: we have listened anew since that was noticed.
        if heardAt > now + EventTime.furthestAhead { heardAt = listeningSince }
        return now < due(heardAt: heardAt, allowance: allowance, listeningSince: listeningSince) ? .heard : .silent
    }

    /// When the device is silent at the earliest.
    package static func due(heardAt: Timestamp, allowance: Duration, listeningSince: Timestamp) -> Timestamp {
        max(heardAt, listeningSince) + allowance
    }
}
