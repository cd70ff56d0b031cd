package import Instants

/// Decides what a reading means for a watch (kind range). Pure and total; allocates nothing.
///
/// - Parameters:
///   - range: The person's range.
///   - state: What is known of the watch.
///   - reading: A value that is water: faults of the probe are taken out before (`Sentinel`).
///   - now: The database's clock. It only tells news from history, and what a wrong clock has left behind; event time
///     drives episodes and throttle.
///   - lag: The device's own constant lag (`DeviceClock`): a reading is as old as its age less that.
///   - newAlert: The alert that this decision may make. It is used up only by `.alert`; until then every call may be handed
///     the same.
package func evaluate(
    _ range: SafeRange, _ state: WatchState, _ reading: Reading, now: Timestamp, lag: Duration = .zero,
    newAlert: Alert.Reference, policy: AlertPolicy
) -> Decision {
    let latest = EventTime.latest(before: reading.time, now: now, lag: lag)
    if let last = state.lastEvaluated, reading.time <= last, last <= latest {
        return Decision(.nothing, because: .superseded, checkProbe: false, state)
    }
    let checkProbe = range.isBeyondSensor(reading.value)
    var next = state
    next.lastEvaluated = reading.time

    guard let side = range.side(of: reading.value) else {
        guard let episode = state.episode else {
            return Decision(.nothing, because: .normal, checkProbe: checkProbe, next)
        }
        guard range.hasRecovered(reading.value, from: episode.side, deadBand: policy.deadBand) else {
            return Decision(.stay(episode), because: .settling, checkProbe: checkProbe, next)
        }
        let due = RecoveryNotice.due(closedAt: reading.time, now: now, policy: policy)
        return Decision(.close(recoveryDueAt: due), because: .recovered, checkProbe: checkProbe, next)
    }

    var episode = Episode(side: side, openedAt: reading.time, worst: reading.value)
    if let open = state.episode, open.side == side {
        episode = open
        if episode.openedAt > latest { episode.openedAt = reading.time }
        episode.keepWorst(reading.value)
    }
    if let throttle = next.throttle, throttle.runsFrom > latest { next.throttle = nil }
    let age = (lag == .zero ? now : now - lag) - reading.time
    let isFlip = state.episode.map { $0.side != side } ?? false
    let notification = notify(&episode, &next, reading, isFlip: isFlip, age: age, newAlert: newAlert, policy: policy)
    guard let open = state.episode else {
        return Decision(.open(episode), because: .opened, notification, checkProbe: checkProbe, next)
    }
    return isFlip
        ? Decision(.flip(from: open, to: episode), because: .flipped, notification, checkProbe: checkProbe, next)
        : Decision(.stay(episode), because: .ongoing, notification, checkProbe: checkProbe, next)
}

/// The second half of a decision for a value out of range. The order of the questions is part of the rules: each reason
/// is stored, and a person who asks why nothing came gets the first that held.
private func notify(
    _ episode: inout Episode, _ next: inout WatchState, _ reading: Reading, isFlip: Bool, age: Duration,
    newAlert: Alert.Reference, policy: AlertPolicy
) -> Decision.Notification {
    if age > policy.staleAfter { return .withheld(.stale) }
    guard next.hasRecipient else {
        episode.noRecipient = true
        return .withheld(.noRecipient)
    }
    if let throttle = next.throttle, !throttle.isFree(at: reading.time, interval: policy.throttle) {
        return throttle.pending.map { .replacesText($0) } ?? .withheld(.throttled)
    }
    // A charge that was refunded, or made by a wrong clock, means that nobody has heard of the episode.
    let isReminder = episode.isAlerted && next.throttle != nil
    episode.isAlerted = true
    episode.noRecipient = false
    next.throttle = Throttle(runsFrom: reading.time, pending: newAlert)
    return .alert(isReminder ? .reminder : isFlip ? .flipped : .opened)
}
