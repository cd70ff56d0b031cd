package import Instants

/// The greatest change within an hour that is not told; a greater one is.
package struct ChangeLimit: Hashable, Sendable {
    /// At least one step.
    package let perHour: Steps

    package init(perHour: Steps) { self.perHour = Steps(max(1, perHour.count)) }

    /// The changes that can be limited: up to all that the sensor measures.
    package static func bounds(of parameter: Parameter) -> ClosedRange<Steps> {
        let absolute = parameter.absoluteRange
        return Steps(1)...Steps(absolute.upperBound.count - absolute.lowerBound.count)
    }

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

/// Decides what the pace of a value means for a person (kind rate). Pure and total. It stands beside the decision on the
/// value itself, which it never changes.
///
/// - Parameters:
///   - change: How far the value has moved within the last hour; `nil` where that is not known.
///   - limit: What the person set; `nil` when it was taken away, which ends the episode without a word.
///   - time: The event time of the newest reading.
///   - isToldOutOfRange: Whether the person was alerted that the value is out of range, and it still is. That is not
///     followed by another alarm about the same water.
///   - now: The database's clock, which separates news from history and ends snoozes.
///   - lag: The constant lag of the device's clock (`DeviceClock`), which is subtracted from the reading's age.
///   - newAlert: The reference for an alert that this decision makes.
package func evaluate(
    _ change: ValueChange?, within limit: ChangeLimit?, at time: Timestamp, _ state: ProbeState,
    isToldOutOfRange: Bool = false, now: Timestamp, lag: Duration = .zero, newAlert: Alert.Reference,
    policy: AlertPolicy
) -> ProbeDecision {
    // Whether the value is steady again nobody has looked at.
    guard let limit else { return state.episode == nil ? .nothing : .end(at: time) }
    switch limit.pace(of: change, deadBand: policy.deadBand) {
    case .unknown, .settling: return .nothing
    case .slow: return state.episode == nil ? .nothing : .close(at: time, now: now, policy: policy)
    case .fast: break
    }
    let latest = EventTime.latest(before: time, now: now, lag: lag)
    let since = change?.since ?? time
    var episode = state.episode ?? ProbeEpisode(openedAt: since)
    if episode.openedAt > latest { episode.openedAt = since }
    return ProbeDecision(
        episode, state, at: time, latest: latest, age: now - lag - time,
        unless: isToldOutOfRange ? .outOfRange : nil, reminding: .ofChange, now: now, newAlert: newAlert,
        policy: policy)
}
