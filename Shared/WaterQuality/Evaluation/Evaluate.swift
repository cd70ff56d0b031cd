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
///   - newAlert: The id that an alert of this decision gets, from a block that the caller has drawn. It is used up only
///     by `.alert`; until then every call may be handed the same.
package func evaluate(
    _ range: SafeRange, _ state: WatchState, _ reading: Reading, now: Timestamp, lag: Duration = .zero,
    newAlert: Alert.ID, policy: AlertPolicy
) -> Decision {
    let latest = EventTime.latest(before: reading.time, now: now, lag: lag)
    if let last = state.lastEvaluated, reading.time <= last, last <= latest {
        return Decision(action: .nothing, reason: .superseded, notification: .none, checkProbe: false, next: state)
    }
    var decision = Decision(
        action: .nothing, reason: .normal, notification: .none, checkProbe: range.isBeyondSensor(reading.value),
        next: state)
    decision.next.lastEvaluated = reading.time

    guard let side = range.side(of: reading.value) else {
        if let episode = state.episode {
            let recovered = range.hasRecovered(reading.value, from: episode.side, deadBand: policy.deadBand)
            decision.action = recovered ? .close : .stay
            decision.reason = recovered ? .recovered : .settling
            if recovered { decision.next.episode = nil }
        }
        return decision
    }

    var episode = state.episode ?? Episode(side: side, openedAt: reading.time, worst: reading.value)
    if episode.openedAt > latest { episode.openedAt = reading.time }
    if state.episode == nil {
        decision.action = .open
        decision.reason = .opened
    } else if episode.side == side {
        episode.keepWorst(reading.value)
        decision.action = .stay
        decision.reason = .ongoing
    } else {
        episode = Episode(side: side, openedAt: reading.time, worst: reading.value)
        decision.action = .flip
        decision.reason = .flipped
    }
    if let throttle = decision.next.throttle, throttle.runsFrom > latest { decision.next.throttle = nil }
    let age = (lag == .zero ? now : now - lag) - reading.time
    notify(&decision, &episode, reading, age: age, newAlert: newAlert, policy: policy)
    decision.next.episode = episode
    return decision
}

/// The second half of a decision for a value out of range. The order of the questions is part of the rules: each reason
/// is stored, and a person who asks why nothing came gets the first that held.
private func notify(
    _ decision: inout Decision, _ episode: inout Episode, _ reading: Reading, age: Duration, newAlert: Alert.ID,
    policy: AlertPolicy
) {
    if age > policy.staleAfter {
        decision.notification = .withheld(.stale)
        return
    }
    if !decision.next.hasRecipient {
        episode.noRecipient = true
        decision.notification = .withheld(.noRecipient)
        return
    }
    if let throttle = decision.next.throttle, !throttle.isFree(at: reading.time, interval: policy.throttle) {
        decision.notification = throttle.pending.map { .replacesText($0) } ?? .withheld(.throttled)
        return
    }
    // A charge that was refunded, or made by a wrong clock, means that nobody has heard of the episode.
    let isReminder = episode.isAlerted && decision.next.throttle != nil
    let isFlip = decision.reason == .flipped
    decision.notification = .alert(isReminder ? .reminder : isFlip ? .flipped : .opened)
    episode.isAlerted = true
    episode.noRecipient = false
    decision.next.throttle = Throttle(runsFrom: reading.time, pending: newAlert)
}
