import Instants

/// The rules and pauses of a time.
extension WatchPast {
    /// The operator's policy with the interval between alerts that the person had then.
    func policy(_ policy: AlertPolicy, at now: Timestamp) -> AlertPolicy {
        let former = throttles.filter { now < $0.until }.min { $0.until < $1.until }
        guard let former else { return policy }
        var policy = policy
        policy.throttle = former.interval
        return policy
    }

    func setting(at now: Timestamp) -> SettingVersion? { settings.first { $0.period.contains(now) } }

    func gathering(at now: Timestamp) -> PastGathering? {
        // What began it was received a moment before.
        gatherings.first { $0.since - .seconds(10) <= now && now < $0.endedAt ?? .distantFuture }
    }

    func isOffShift(at now: Timestamp) -> Bool { offShift.contains { $0.contains(now) } }

    /// - Parameter open: The episode that was open then.
    func held(at now: Timestamp, open: Episode.ID?) -> Snoozes {
        guard !snoozes.isEmpty else { return .none }
        return Snoozes(
            low: held(at: now, .low, open: open)?.snooze, high: held(at: now, .high, open: open)?.snooze)
    }

    func held(at now: Timestamp, _ side: Side, open: Episode.ID?) -> PastSnooze? {
        snoozes.last { $0.side == side && $0.held(at: now, open: open) }
    }

    /// What an alert told. Of one to endpoints that hear at all hours the person's phone was silent.
    func told(by alert: PastAlert) -> ExplainedStep.Notification {
        guard alert.audience == .atOnce, alert.purpose.isOfTrouble else { return ExplainedStep.Notification(alert) }
        return gathering(at: alert.decidedAt)?.reason == .tooMany ? .tooMany : .quietHours
    }
}
