package import Instants

/// Decides what a reading means for a watch (kind range). Pure and total; allocates nothing.
///
/// - Parameters:
///   - range: The person's range.
///   - state: The state of the watch.
///   - reading: A measurement of water. Faults of the probe are filtered out beforehand (`Sentinel`).
///   - rules: What the person asks beside the limits. With none, decisions are those of the limits alone.
///   - snoozes: What the person wants to hear nothing of for a while; those that hold beyond the decision `follow` it.
///   - flutter: The last episodes of the watch, which `follow` the decision as well; none where the rules do not ask.
///   - now: The database's clock. It separates news from history, ends snoozes, and detects marks left by a wrong
///     clock. Event time drives episodes, delay and throttle.
///   - lag: The constant lag of the device's clock (`DeviceClock`), which is subtracted from a reading's age.
///   - newAlert: The reference for an alert that this decision makes. Only `.alert` uses it up; until then every call
///     may get the same one.
package func evaluate(
    _ range: SafeRange, _ state: WatchState, _ reading: Reading, rules: WatchRules = .none,
    snoozes: Snoozes = .none, flutter: Flutter = .none, now: Timestamp, lag: Duration = .zero,
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
    next.lastValue = reading.value

    guard let side = range.side(of: reading.value) else {
        guard let episode = state.episode else {
            return Decision(.nothing, because: .normal, checkProbe: checkProbe, next)
        }
        guard range.hasRecovered(reading.value, from: episode.side, deadBand: policy.deadBand) else {
            return Decision(.stay(episode), because: .settling, checkProbe: checkProbe, next)
        }
        if SuspectedSpike.isHeldReturn(reading, after: state, into: range, policy: policy) {
            next.doubtedAt = reading.time
            return Decision(.stay(episode), because: .held, .withheld(.held), checkProbe: checkProbe, next)
        }
        let due = RecoveryNotice.due(
            closedAt: reading.time, isUnstable: state.throttles.latest?.isUnstable ?? false, now: now, policy: policy)
        return Decision(.close(recoveryDueAt: due), because: .recovered, checkProbe: checkProbe, next)
    }

    let latest = EventTime.latest(before: reading.time, now: now, lag: lag)
    let age = (lag == .zero ? now : now - lag) - reading.time
    let isFlip = state.episode.map { $0.side != side } ?? false
    let isCritical = rules.critical.isExceeded(by: reading.value)
    let isHeld =
        (state.episode == nil || isFlip)
        && SuspectedSpike.isHeld(reading, after: state, of: range.parameter, isCritical: isCritical, policy: policy)
    if isHeld || isCritical { next.doubtedAt = reading.time }
    if isHeld, let open = state.episode {
        return Decision(
            .stay(open), because: .held, .withheld(age > policy.staleAfter ? .stale : .held), checkProbe: checkProbe,
            isCritical: isCritical, next)
    }
    var episode = Episode(side: side, openedAt: reading.time, worst: reading.value)
    if let open = state.episode, open.side == side {
        episode = open
        if episode.openedAt > latest { episode.openedAt = reading.time }
        episode.keepWorst(reading.value)
    }
    if let throttle = next.throttles[side], throttle.runsFrom > latest { next.throttles[side] = nil }
    let notification = notify(
        &episode, &next, reading, rules, snoozes[side], flutter, isFlip: isFlip, isCritical: isCritical,
        isHeld: isHeld, age: age, now: now, newAlert: newAlert, policy: policy)
    let (action, reason): (Decision.Action, Decision.Reason) =
        if let open = state.episode {
            isFlip ? (.flip(from: open.side, to: episode), .flipped) : (.stay(episode), .ongoing)
        } else {
            (.open(episode), .opened)
        }
    return Decision(
        action, because: reason, notification, checkProbe: checkProbe, isCritical: isCritical, next)
}

/// The second half of a decision for a value out of range. The order of the checks is part of the rules: each reason is
/// stored, and a person who asks why nothing came is given the first that applied.
private func notify(
    _ episode: inout Episode, _ next: inout WatchState, _ reading: Reading, _ rules: WatchRules, _ snooze: Snooze?,
    _ flutter: Flutter, isFlip: Bool, isCritical: Bool, isHeld: Bool, age: Duration, now: Timestamp,
    newAlert: Alert.Reference, policy: AlertPolicy
) -> Decision.Notification {
    if age > policy.staleAfter { return .withheld(.stale) }
    if isHeld { return .withheld(.held) }
    let throttle = next.throttles[episode.side]
    let breaksThrough = isCritical && breaksThrough(episode, throttle, at: reading.time)
    if !breaksThrough, !episode.isAlerted, reading.time - episode.openedAt < rules.delay { return .withheld(.delayed) }
    guard next.hasRecipient else {
        episode.noRecipient = true
        return .withheld(.noRecipient)
    }
    var isUnstable = false
    if !breaksThrough {
        if let throttle, !throttle.isFree(at: reading.time, interval: policy.throttle) {
            // A critical alert takes critical values alone: another would contradict the limit that it names.
            guard let pending = throttle.pending, isCritical || !throttle.isCritical else {
                return .withheld(.throttled)
            }
            // Perhaps of an episode that has closed: what it says is true again from here.
            episode.isAlerted = true
            return .replacesText(pending)
        }
        if let snooze, snooze.holds(at: now) { return .withheld(snooze.reason) }
        isUnstable = rules.tellsUnstable && flutter.isUnstable(with: episode, at: reading.time)
        if isUnstable, Flutter.isTold(next.throttles.latest, at: reading.time) { return .withheld(.toldUnstable) }
    }
    // Without a charge, because it was refunded or made by a wrong clock, nobody has heard of the episode.
    let isReminder = episode.isAlerted && throttle != nil
    episode.isAlerted = true
    episode.noRecipient = false
    if isCritical { episode.isCritical = true }
    next.throttles[episode.side] = Throttle(
        runsFrom: reading.time, pending: newAlert, isCritical: isCritical, isUnstable: isUnstable)
    return .alert(
        breaksThrough ? .critical : isUnstable ? .unstable : isReminder ? .reminder : isFlip ? .flipped : .opened)
}

/// Whether a value beyond the critical limit is told past delay, throttle and snooze: once for each episode, which is not
/// yet when nobody has heard of it.
private func breaksThrough(_ episode: Episode, _ throttle: Throttle?, at time: Timestamp) -> Bool {
    guard let throttle else { return true }
    return !episode.isCritical
        && !(throttle.isCritical && time - throttle.runsFrom < WatchRules.pauseBetweenCritical)
}
