package import Instants

/// What is to be told of a reminder now, and when it is looked at next.
package struct ReminderPlan: Hashable, Sendable {
    /// The occurrence that has come since the last look and is open; `nil`: there is nothing to tell.
    package var told: CareOccurrence?
    /// How many were missed right before it.
    package var missed: Int
    /// `nil`: nothing will be told any more unless somebody acts.
    package var nextAt: Timestamp?
}

extension ReminderCourse {
    /// What has come due between two looks. Of several of one reminder the last is told: the others are missed by then.
    /// - Parameter lookedAt: Up to when everything was told.
    package func plan(
        _ instants: [CivilTime: Timestamp], lookedAt: Timestamp, now: Timestamp, today: CivilDay
    ) -> ReminderPlan {
        guard !isEnded else { return ReminderPlan(told: nil, missed: 0, nextAt: nil) }
        let all = occurrences(instants, now: now, today: today).filter { $0.state != .missed }
        let told = all.last { open in
            open.isOpen && times(of: open, instants).contains { $0 > lookedAt && $0 <= now }
        }
        let next = all.flatMap { times(of: $0, instants) }.filter { $0 > max(now, lookedAt) }.min()
        let missed = told == nil ? 0 : standing(instants, now: now, today: today).missed
        return ReminderPlan(told: told, missed: missed, nextAt: next)
    }

    /// When an occurrence is told: when it comes or, where it was put off, when that ends; one that is counted from what was done, and has no
    /// next one that would be told, once more.
    private func times(of one: CareOccurrence, _ instants: [CivilTime: Timestamp]) -> [Timestamp] {
        [one.laterUntil ?? one.at] + [repetition.flatMap { instants[time(of: $0)] }].compactMap(\.self)
    }
}

extension ReminderCourse {
    /// Why an act is not taken.
    package enum ActFault: Sendable {
        /// The reminder has no such occurrence.
        case notAnOccurrence
        /// It is done before half of the time from the one before it has passed.
        case tooEarly
        /// There is nothing to put off any more, or not until then.
        case notOpen
    }

    /// The longest time for which an occurrence is put off.
    package static let longestDelay = Duration.seconds(31 * 86_400)

    /// Whether an act can be taken. What was due by the rule before the present one is taken as well: a phone may have been offline meanwhile.
    /// - Parameter instants: Those of the `candidates`, and that of the act's occurrence.
    package func fault(
        of act: CareAct, _ instants: [CivilTime: Timestamp], now: Timestamp, today: CivilDay
    ) -> ActFault? {
        let day = CivilDay(act.on)
        guard let at = instants[act.on] else { return .notAnOccurrence }
        guard hasOccurrence(on: day) || settled[day] != nil || at <= since else { return .notAnOccurrence }
        switch act.what {
        case .done:
            let early = Duration.seconds(rule.recurrence.shortestGap * 43_200)
            return act.at < at - early ? .tooEarly : nil
        case .skipped: return nil
        case .later:
            guard let until = act.until, until > max(now, at), until <= now + Self.longestDelay, settled[day] == nil
            else {
                return .notOpen
            }
            let isTheirs = occurrences(instants, now: now, today: today).contains {
                CivilDay($0.on) == day && ($0.isOpen || $0.state == .ahead)
            }
            return isTheirs ? nil : .notOpen
        }
    }
}
