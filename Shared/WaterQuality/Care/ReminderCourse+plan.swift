package import Instants

/// The tellings of a reminder that are due now, and the time of the next look at it.
package struct ReminderPlan: Hashable, Sendable {
    /// The occurrence that has come since the last look and is open; `nil`: there is nothing to tell.
    package var told: CareOccurrence?
    /// When that came: at its time, where a delay ended, or when it is told once more.
    package var came: Timestamp?
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
        guard !isEnded else { return ReminderPlan(told: nil, came: nil, missed: 0, nextAt: nil) }
        let all = occurrences(instants, now: now, today: today).filter { $0.state != .missed }
        let came = all.filter(\.isOpen).compactMap { one in
            coming(of: one, instants, by: now).map { (occurrence: one, at: $0) }
        }.last { $0.at > lookedAt }
        let next = all.flatMap { times(of: $0, instants) }.filter { $0 > max(now, lookedAt) }.min()
        let missed = came == nil ? 0 : standing(instants, now: now, today: today).missed
        return ReminderPlan(told: came?.occurrence, came: came?.at, missed: missed, nextAt: next)
    }

    /// Up to when everything counts as told once something was undone: what is open by that comes once more, to those who do not see it.
    package func lookedAtOnceUndone(
        _ instants: [CivilTime: Timestamp], lookedAt: Timestamp, now: Timestamp, today: CivilDay
    ) -> Timestamp {
        let open = occurrences(instants, now: now, today: today).last(where: \.isOpen)
        let came = open.flatMap { coming(of: $0, instants, by: now) }
        return came.map { min(lookedAt, $0 + .microseconds(-1)) } ?? lookedAt
    }

    /// When an occurrence came last by a time.
    private func coming(of one: CareOccurrence, _ instants: [CivilTime: Timestamp], by now: Timestamp) -> Timestamp? {
        times(of: one, instants).filter { $0 <= now }.max()
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

    /// How many days back an act may lie that the present rule does not know, and how far ahead the next one may be left out.
    private static let longestReach = 400

    /// Whether an act can be taken. What was due by the rule before the present one is taken as well: a phone may have been offline meanwhile.
    /// - Parameter instants: Those of the `candidates`, and that of the act's occurrence.
    package func fault(
        of act: CareAct, _ instants: [CivilTime: Timestamp], now: Timestamp, today: CivilDay
    ) -> ActFault? {
        let day = CivilDay(act.on)
        guard let at = instants[act.on] else { return .notAnOccurrence }
        let isOfFormerRule = at <= since && today - day <= Self.longestReach
        guard hasOccurrence(on: day) || settled[day] != nil || isOfFormerRule else { return .notAnOccurrence }
        switch act.what {
        case .done:
            let early = Duration.seconds(rule.recurrence.shortestGap * 43_200)
            return act.at < at - early ? .tooEarly : nil
        case .skipped: return day - today > max(Self.longestReach, rule.recurrence.shortestGap) ? .notOpen : nil
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
