package import Instants

/// Decides on stored readings of one watch once more, one after the other.
///
/// The one place beside the engines that calls `evaluate` for readings: back-tests and explanations share it, so that
/// neither can differ from what engines do.
package struct WatchReplay: Sendable {
    /// What a reading is decided by.
    package struct Rules: Hashable, Sendable {
        package var range: SafeRange
        package var rules: WatchRules
        package var policy: AlertPolicy

        package init(_ range: SafeRange, rules: WatchRules = .none, policy: AlertPolicy) {
            self.range = range
            self.rules = rules
            self.policy = policy
        }
    }

    /// The watch after the last reading. An alert counts as arrived unless somebody says otherwise.
    package var state: WatchState

    /// Its last episodes, followed where the rules ask for them.
    package var flutter = Flutter.none

    /// From when on a reading in range shows that the calm lasts, of which the person is told then.
    private var clearFrom: Timestamp?

    /// Its last readings and its state with regard to their pace, likewise.
    private var recent = RecentReadings()
    private var pace = ProbeState(hasRecipient: true)

    /// Where it goes, and its state with regard to that, likewise.
    private var trend = Trend()
    private var heading = ProbeState(hasRecipient: true)

    package init(_ state: WatchState = WatchState(hasRecipient: true)) { self.state = state }

    /// - Parameters:
    ///   - snoozes: Those that hold.
    ///   - now: When it is decided, by the database's clock.
    ///   - lag: The constant lag of the device's clock.
    package mutating func decide(
        _ reading: Reading, by rules: Rules, snoozes: Snoozes = .none, now: Timestamp, lag: Duration = .zero
    ) -> Decision {
        let decision = evaluate(
            rules.range, state, reading, rules: rules.rules, snoozes: snoozes, flutter: flutter, now: now, lag: lag,
            newAlert: .new(0), policy: rules.policy)
        if rules.rules.tellsUnstable { flutter.follow(decision.action) }
        let wasUnstable = state.throttles.latest?.isUnstable ?? false
        state = decision.next
        state.throttles.arrive()
        switch decision.action {
        case .close: clearFrom = reading.time + RecoveryNotice.calm(isUnstable: wasUnstable, policy: rules.policy)
        case .open, .flip, .stay: clearFrom = nil
        case .nothing:
            // An all-clear that arrives gives the charges back.
            if decision.reason == .normal, let start = clearFrom, reading.time >= start {
                (state.throttles, clearFrom) = (.none, nil)
            }
        }
        return decision
    }

    /// Decides what the pace of the value means, after `decide` has decided on the value itself.
    /// - Returns: The alert, if there is one, with the change that it tells of.
    package mutating func decidePace(
        of reading: Reading, by rules: Rules, now: Timestamp
    ) -> (reason: Decision.Reason, change: ValueChange)? {
        guard let limit = rules.rules.changeLimit, recent.add(reading) else { return nil }
        let change = recent.change()
        let decision = evaluate(
            change, within: limit, at: reading.time, pace, isToldOutOfRange: state.isTold,
            now: now, newAlert: .new(0), policy: rules.policy)
        pace.follow(decision, at: reading.time, alert: nil)
        guard let change, case .alert(let reason) = decision.notification else { return nil }
        return (reason, change)
    }

    /// Decides what the way of the value means, after `decide` has decided on the value itself.
    /// - Returns: What an alert tells ahead, if there is one.
    package mutating func decideHeading(of reading: Reading, by rules: Rules, now: Timestamp) -> Outlook? {
        guard let ahead = rules.rules.ahead, trend.add(reading) else { return nil }
        let found = trend.line()?.heading(in: rules.range, within: ahead) ?? .moot
        let decision = evaluate(
            found, at: reading.time, heading, isToldOutOfRange: state.isTold, now: now,
            newAlert: .new(0), policy: rules.policy)
        heading.follow(decision, at: reading.time, alert: nil)
        guard case .toward(let outlook) = found, case .alert = decision.notification else { return nil }
        return outlook
    }
}
