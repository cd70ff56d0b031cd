package import Instants

/// Decides what a finding means for a person: episodes and notifications of every kind. Pure and total; allocates nothing.
///
/// - Parameters:
///   - state: The watch, with the detector's own marks as they are after the finding.
///   - kind: The fixed rules of the kind.
///   - rules: What the person asks beside the limits.
///   - snoozes: What the person wants to hear nothing of for a while; those that hold beyond the decision `follow` it.
///   - flutter: The last episodes of the watch, which `follow` the decision as well; none where the rules do not ask.
///   - checkProbe: Whether it is the probe that should be looked at.
///   - now: The database's clock, which ends snoozes and dates recoveries.
///   - newAlert: The reference for an alert that this decision makes. Only `.alert` uses it up; until then every call may get
///     the same one.
@inline(__always)
package func decide(
    _ finding: Finding, _ state: WatchState, by kind: KindRules, rules: WatchRules = .none, snoozes: Snoozes = .none,
    flutter: Flutter = .none, checkProbe: Bool = false, now: Timestamp, newAlert: Alert.Reference, policy: AlertPolicy
) -> Decision {
    switch finding {
    case .nothing(let reason):
        return Decision(.nothing, because: reason, checkProbe: checkProbe, state)
    case .lingers(let reason, let withheld):
        guard let open = state.episode else {
            return Decision(.nothing, because: reason, checkProbe: checkProbe, state)
        }
        return Decision(
            .stay(open), because: reason, withheld.map { .withheld($0) } ?? .none, checkProbe: checkProbe, state)
    case .over(let time):
        guard state.episode != nil else {
            return Decision(.nothing, because: .normal, checkProbe: checkProbe, state)
        }
        let due = RecoveryNotice.due(
            closedAt: time, isUnstable: state.throttles.latest?.isUnstable ?? false, now: now, policy: policy)
        return Decision(.close(at: time, recoveryDueAt: due), because: .recovered, checkProbe: checkProbe, state)
    case .moot(let time):
        guard state.episode != nil else {
            return Decision(.nothing, because: .normal, checkProbe: checkProbe, state)
        }
        return Decision(.close(at: time, recoveryDueAt: nil), because: .recovered, checkProbe: checkProbe, state)
    case .holds(let evidence):
        return decide(
            evidence, state, by: kind, rules: rules, snoozes: snoozes, flutter: flutter, checkProbe: checkProbe,
            now: now, newAlert: newAlert, policy: policy)
    }
}

private func decide(
    _ evidence: Finding.Evidence, _ state: WatchState, by kind: KindRules, rules: WatchRules, snoozes: Snoozes,
    flutter: Flutter, checkProbe: Bool, now: Timestamp, newAlert: Alert.Reference, policy: AlertPolicy
) -> Decision {
    var next = state
    var episode = Episode(evidence.trouble, openedAt: evidence.since)
    let isFlip = state.episode.map { $0.side != episode.side } ?? false
    if let open = state.episode, !isFlip {
        episode = open
        if episode.openedAt > evidence.latest { episode.openedAt = evidence.since }
        episode.fold(evidence.trouble)
    }
    // A charge by a clock that was ahead does not wait until that time comes.
    if let throttle = next.throttles[evidence.side], throttle.runsFrom > evidence.latest {
        next.throttles[evidence.side] = nil
    }
    let isAfterWork = episode.excursion?.goesOnAfterWork(untold: next.throttles[evidence.side]) ?? false
    let notification = notify(
        &episode, &next, evidence, by: kind, rules, snoozes[episode.side], flutter, isFlip: isFlip, now: now,
        newAlert: newAlert, policy: policy)
    let (action, reason): (Decision.Action, Decision.Reason) =
        if let open = state.episode {
            isFlip
                ? (.flip(from: open.side, to: episode), .flipped)
                : (episode == open && !kind.recordsEach ? .nothing : .stay(episode), .ongoing)
        } else {
            (.open(episode), .opened)
        }
    return Decision(
        action, because: reason, notification, checkProbe: checkProbe, isCritical: evidence.isCritical,
        isAfterWork: isAfterWork, next)
}

/// The second half of a decision that something is wrong. The order of the checks is part of the rules: each reason is
/// stored, and a person who asks why nothing came is given the first that applied.
private func notify(
    _ episode: inout Episode, _ next: inout WatchState, _ evidence: Finding.Evidence, by kind: KindRules,
    _ rules: WatchRules, _ snooze: Snooze?, _ flutter: Flutter, isFlip: Bool, now: Timestamp,
    newAlert: Alert.Reference, policy: AlertPolicy
) -> Decision.Notification {
    let (time, isCritical) = (evidence.at, evidence.isCritical)
    if evidence.age > policy.staleAfter { return .withheld(.stale) }
    if let reason = evidence.withheld { return .withheld(reason) }
    let throttle = next.throttles[evidence.side]
    let breaksThrough = isCritical && breaksThrough(episode, throttle, at: time)
    // Where nothing is delayed, a clock that was put back since delays nothing either.
    if !breaksThrough, !episode.isAlerted, rules.delay > .zero, time - episode.openedAt < rules.delay {
        return .withheld(.delayed)
    }
    // Without a charge, because it was refunded or made by a wrong clock, nobody has heard of the episode.
    let isReminder = episode.isAlerted && throttle != nil
    if !breaksThrough, isReminder, let throttle, let reminders = kind.reminders,
        !reminders.areDue(at: time, after: throttle.runsFrom, since: episode.openedAt)
    {
        return .none
    }
    guard next.hasRecipient else {
        episode.noRecipient = true
        return .withheld(.noRecipient)
    }
    if next.isOffShift { return .withheld(.offShift) }
    var isUnstable = false
    if !breaksThrough {
        if let throttle, throttle.holds(at: time, kind, policy) {
            // A critical alert takes critical values alone: another would contradict the limit that it names.
            guard kind.replacesText, let pending = throttle.pending, isCritical || !throttle.isCritical else {
                return .withheld(.throttled)
            }
            // Perhaps of an episode that has closed: what it says is true again from here.
            episode.isAlerted = true
            if next.gathered != nil, !isCritical { episode.isGathered = true }
            return .replacesText(pending)
        }
        if let snooze, snooze.holds(at: now) { return .withheld(snooze.reason) }
        isUnstable = rules.tellsUnstable && flutter.isUnstable(with: episode, at: time)
        if isUnstable, Flutter.isTold(next.throttles.latest, at: time) { return .withheld(.toldUnstable) }
    }
    episode.isGathered = false
    if let reason = next.gathered, !isCritical {
        episode.isGathered = true
        guard next.hearsAtOnce else { return .withheld(Decision.Reason(reason)) }
    }
    episode.isAlerted = true
    episode.noRecipient = false
    if isCritical { episode.noteCritical() }
    // The side that was told last alone: "too low" has taken "too high" back, which is news again.
    if episode.side == nil { next.throttles = .none }
    next.throttles[evidence.side] = Throttle(
        runsFrom: time, pending: newAlert, isCritical: isCritical, isUnstable: isUnstable)
    return .alert(
        breaksThrough ? .critical : isUnstable ? .unstable : isReminder ? .reminder : isFlip ? .flipped : .opened)
}

/// Whether a value beyond the critical limit is told past delay, throttle and snooze: once for each episode, which is not
/// yet when nobody has heard of it.
private func breaksThrough(_ episode: Episode, _ throttle: Throttle?, at time: Timestamp) -> Bool {
    guard let throttle else { return true }
    return !episode.isCritical && !(throttle.isCritical && time - throttle.runsFrom < WatchRules.pauseBetweenCritical)
}

extension Throttle {
    /// Whether nothing of a kind may be alerted yet.
    fileprivate func holds(at time: Timestamp, _ kind: KindRules, _ policy: AlertPolicy) -> Bool {
        kind.awaitsDelivery && pending != nil || !isFree(at: time, interval: policy.throttle)
    }
}
