package import Instants

/// The limit that a value reaches if it goes on as it has lately, and when.
package struct Outlook: Hashable, Sendable {
    /// The side of the limit.
    package var side: Side
    package var limit: Steps
    /// By the device's clock.
    package var at: Timestamp
    /// The newest reading.
    package var value: Steps

    package init(side: Side, limit: Steps, at: Timestamp, value: Steps) {
        self.side = side
        self.limit = limit
        self.at = at
        self.value = value
    }

    /// Where a value goes, for a person who wants to be told so long ahead.
    package enum Heading: Hashable, Sendable {
        /// There is nothing to tell ahead: nobody asks, too little is known, or the value is outside already.
        case moot
        /// It does not reach a limit any more, by the dead band.
        case away
        /// It may reach one, but nothing begins or ends by that.
        case near
        /// It reaches a limit within that time.
        case toward(Outlook)
    }
}

extension Trend.Line {
    /// So large a share of all pairs has to go the same way before it is told: what trembles goes nowhere. Below the second it is
    /// over.
    private static let agreed = 0.8
    private static let disagreed = 0.6
    /// Nobody knows further ahead than three times what is judged by.
    private static let horizon = 3

    /// Where the value goes, for a person with these limits.
    ///
    /// It is seen from the newest reading; one that is too old is no news (`AlertPolicy.staleAfter`). The dead band is half the time
    /// once more, and fewer pairs that agree. A single reading outside the limits neither begins nor ends anything, since it may be
    /// a glitch; the next one tells.
    package func heading(in range: SafeRange, within ahead: Duration) -> Outlook.Heading {
        if range.side(of: settled) != nil { return .moot }
        guard slope != 0, agreement >= Self.disagreed else { return .away }
        let side: Side = slope < 0 ? .low : .high
        guard let limit = range.limit(on: side) else { return .away }
        let seconds = (Double(limit.count) - value) / slope
        guard seconds <= Self.seconds(ahead) * 1.5 else { return .away }
        guard agreement >= Self.agreed, range.contains(newest), seconds > 0,
            seconds <= min(Self.seconds(ahead), Self.seconds(span * Self.horizon))
        else { return .near }
        return .toward(
            Outlook(side: side, limit: limit, at: time + .milliseconds(Int64(seconds * 1_000)), value: newest))
    }

    private static func seconds(_ duration: Duration) -> Double { Double(duration.wholeMicroseconds) / 1_000_000 }
}

/// Decides what the way of a value means for a person (kind ahead). Pure and total. It stands beside the decision on the value
/// itself, which it never changes.
///
/// It is told once. What leaves the limits is told by the alarm about that, and no end of this is announced then; nor where
/// nobody asks any more, or after a pause.
///
/// - Parameters:
///   - time: The event time of the newest reading.
///   - isToldOutOfRange: Whether the person was alerted that the value is out of range, and it still is.
///   - now: The database's clock, which separates news from history and ends snoozes.
///   - lag: The constant lag of the device's clock (`DeviceClock`), which is subtracted from the reading's age.
///   - newAlert: The reference for an alert that this decision makes.
package func evaluate(
    _ heading: Outlook.Heading, at time: Timestamp, _ state: ProbeState, isToldOutOfRange: Bool = false,
    now: Timestamp, lag: Duration = .zero, newAlert: Alert.Reference, policy: AlertPolicy
) -> ProbeDecision {
    let outlook: Outlook
    switch heading {
    case .near: return .nothing
    case .moot: return state.episode == nil ? .nothing : .end(at: time)
    case .away: return state.episode == nil ? .nothing : .close(at: time, now: now, policy: policy)
    case .toward(let found): outlook = found
    }
    let latest = EventTime.latest(before: time, now: now, lag: lag)
    var episode = state.episode ?? ProbeEpisode(openedAt: time)
    if episode.openedAt > latest { episode.openedAt = time }
    // What is past by the time it is decided is not told ahead.
    let withheld: Decision.Reason? = isToldOutOfRange ? .outOfRange : outlook.at + lag <= now ? .stale : nil
    return ProbeDecision(
        episode, state, at: time, latest: latest, age: now - lag - time, unless: withheld, reminding: .never, now: now,
        newAlert: newAlert, policy: policy)
}
