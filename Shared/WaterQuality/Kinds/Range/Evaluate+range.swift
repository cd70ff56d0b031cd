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
///   - work: Whether somebody worked on the water when it was measured, or had until just before.
///   - now: The database's clock. It separates news from history, ends snoozes, and detects marks left by a wrong
///     clock. Event time drives episodes, delay and throttle.
///   - lag: The constant lag of the device's clock (`DeviceClock`), which is subtracted from a reading's age.
///   - newAlert: The reference for an alert that this decision makes. Only `.alert` uses it up; until then every call
///     may get the same one.
package func evaluate(
    _ range: SafeRange, _ state: WatchState, _ reading: Reading, rules: WatchRules = .none,
    snoozes: Snoozes = .none, flutter: Flutter = .none, work: Working = .no, now: Timestamp, lag: Duration = .zero,
    newAlert: Alert.Reference, policy: AlertPolicy
) -> Decision {
    if let last = state.lastEvaluated, reading.time <= last,
        last <= EventTime.latest(before: reading.time, now: now, lag: lag)
    {
        return Decision(.nothing, because: .superseded, checkProbe: false, state)
    }
    var next = state
    let finding = find(range, reading, rules, &next, after: work, now: now, lag: lag, policy: policy)
    return decide(
        finding.during(work, open: next.episode), next, by: .range, rules: rules,
        snoozes: snoozes.bearing(reading.value, in: range),
        flutter: flutter,
        checkProbe: range.isBeyondSensor(reading.value), now: now, newAlert: newAlert, policy: policy)
}

/// The detector of kind range, for a reading that is newer than the last one.
/// - Parameters:
///   - state: The watch, whose marks of the last reading advance.
///   - work: Whether it is the first reading after somebody has worked on the water.
@inline(__always)
private func find(
    _ range: SafeRange, _ reading: Reading, _ rules: WatchRules, _ state: inout WatchState,
    after work: Working, now: Timestamp, lag: Duration, policy: AlertPolicy
) -> Finding {
    let before = state
    state.lastEvaluated = reading.time
    state.lastValue = reading.value

    guard let side = range.side(of: reading.value) else {
        guard let episode = before.episode else { return .nothing(.normal) }
        guard range.hasRecovered(reading.value, from: episode.side ?? .high, deadBand: policy.deadBand) else {
            return .lingers(.settling)
        }
        if SuspectedSpike.isHeldReturn(reading, after: before, into: range, policy: policy) {
            state.doubtedAt = reading.time
            return .lingers(.held, withheld: .held)
        }
        return .over(at: reading.time)
    }

    let age = (lag == .zero ? now : now - lag) - reading.time
    let isCritical = rules.critical.isExceeded(by: reading.value)
    let opens = before.episode.map { $0.side != side } ?? true
    let isHeld =
        opens
        && SuspectedSpike.isHeld(reading, after: before, of: range.parameter, isCritical: isCritical, policy: policy)
    if isHeld || isCritical { state.doubtedAt = reading.time }
    if isHeld, before.episode != nil { return .lingers(.held, withheld: age > policy.staleAfter ? .stale : .held) }
    // An alarm goes on that was open before the work, or whose value was as far out while somebody worked.
    let isStill = work == .ended && (before.episode?.side ?? before.lastValue.flatMap(range.side(of:))) == side
    return .holds(
        Finding.Evidence(
            .range(Episode.Excursion(side: side, worst: reading.value, stillAt: isStill ? reading.time : nil)),
            since: reading.time, at: reading.time,
            latest: EventTime.latest(before: reading.time, now: now, lag: lag), age: age, isCritical: isCritical,
            withheld: isHeld ? .held : nil))
}
