package import Instants

/// Decides what a look at a device means for a person (kind silence). Pure and total. Each time is the database's.
///
/// - Parameters:
///   - hearing: Whether the device is heard. It is never `silent` while we do not hear anybody.
///   - heardAt: The receipt of its last reading, if that is known.
///   - now: The database's clock.
///   - newAlert: The reference for an alert that this decision makes.
package func evaluate(
    _ hearing: Hearing, heardAt: Timestamp?, _ state: ProbeState, now: Timestamp, newAlert: Alert.Reference,
    policy: AlertPolicy
) -> ProbeDecision {
    // A time of ours from when the clock was ahead says nothing: neither an end, nor that the trouble lies ahead.
    let latest = now + EventTime.furthestAhead
    if let open = state.episode, let heardAt, heardAt <= latest,
        heardAt > open.openedAt || (open.openedAt > latest && hearing == .heard)
    {
        // Heard again; perhaps silent again since, which the next look finds.
        return .close(at: heardAt, now: now, policy: policy)
    }
    guard hearing == .silent, let heardAt = (heardAt ?? state.episode?.openedAt).map({ min($0, now) }) else {
        return .nothing
    }
    // What was heard last belongs to somebody else: this person has never heard the device.
    if state.episode == nil, let theirsFrom = state.theirsFrom, heardAt < theirsFrom { return .nothing }
    return ProbeDecision(
        state.episode ?? ProbeEpisode(openedAt: heardAt), state, at: now, latest: now, now: now, newAlert: newAlert,
        policy: policy)
}
