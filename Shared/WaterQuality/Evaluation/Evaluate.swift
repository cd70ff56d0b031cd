package import Instants

/// Decides what a reading means for a watch (kind range). Pure and total; allocates nothing.
///
/// - Parameters:
///   - range: The person's range.
///   - state: The state of the watch.
///   - reading: A measurement of water. Faults of the probe are filtered out beforehand (`Sentinel`).
///   - now: The database's clock. It only separates news from history and detects marks left by a wrong clock. Event
///     time drives episodes and throttle.
///   - lag: The constant lag of the device's clock (`DeviceClock`), which is subtracted from a reading's age.
///   - newAlert: The reference for an alert that this decision makes. Only `.alert` uses it up; until then every call
///     may get the same one.
package func evaluate(
    _ range: SafeRange, _ state: WatchState, _ reading: Reading, now: Timestamp, lag: Duration = .zero,
    newAlert: Alert.Reference, policy: AlertPolicy
) -> Decision {
    if let last = state.lastEvaluated, reading.time <= last,
        last <= EventTime.latest(before: reading.time, now: now, lag: lag)
    {
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

    let latest = EventTime.latest(before: reading.time, now: now, lag: lag)
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
        ? Decision(.flip(from: open.side, to: episode), because: .flipped, notification, checkProbe: checkProbe, next)
        : Decision(.stay(episode), because: .ongoing, notification, checkProbe: checkProbe, next)
}

/// The second half of a decision for a value out of range. The order of the checks is part of the rules: each reason is
/// stored, and a person who asks why nothing came is given the first that applied.
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
    // Without a charge, because it was refunded or made by a wrong clock, nobody has heard of the episode.
    let isReminder = episode.isAlerted && next.throttle != nil
    episode.isAlerted = true
    episode.noRecipient = false
    next.throttle = Throttle(runsFrom: reading.time, pending: newAlert)
    return .alert(isReminder ? .reminder : isFlip ? .flipped : .opened)
}
