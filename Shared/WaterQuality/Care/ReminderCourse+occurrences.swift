package import Instants

/// One occurrence of a reminder.
package struct CareOccurrence: Hashable, Sendable {
    ///     ahead -> due -> late -> missed
    ///       |       |      |
    ///       +-------+------+----> done, skipped
    ///
    /// The raw values are a promise to clients.
    package enum State: String, CaseIterable, Sendable, Encodable {
        case ahead, due
        /// Its day is over.
        case late
        case done, skipped
        /// The next one has come, or was done.
        case missed
    }

    package var on: CivilTime
    package var at: Timestamp
    package var state: State
    /// Until when it was put off.
    package var laterUntil: Timestamp?
    package var act: CareAct?

    package var isOpen: Bool { state == .due || state == .late }
    package var isSettled: Bool { state == .done || state == .skipped }
}

extension ReminderCourse {
    /// The occurrences around a time, and those of a range of days, in their order.
    /// - Parameters:
    ///   - instants: Those of the `candidates`; what has none is left out.
    ///   - today: The day at the time, by the reminder's clock.
    package func occurrences(
        _ instants: [CivilTime: Timestamp], now: Timestamp, today: CivilDay, in range: ClosedRange<CivilDay>? = nil
    ) -> [CareOccurrence] {
        var found: [CareOccurrence] = []
        var isSuperseded = false
        for day in days(around: now, and: range).reversed() {
            let at = instants[time(of: day)]
            if let act = settled[day] {
                // What was left out ahead of its time leaves open what is open before it.
                isSuperseded = isSuperseded || act.what == .done || at.map { $0 <= now } ?? false
                continue
            }
            guard let at, at > since else { continue }
            // What was put off comes no sooner, also where its time of day is another since.
            let later = putOff[day].map { max($0, at) }
            let state: CareOccurrence.State =
                if isSuperseded {
                    .missed
                } else if (later ?? at) > now {
                    .ahead
                } else {
                    today > day ? .late : .due
                }
            // Of one that has ended nothing is due any more.
            if !isEnded || state == .missed {
                found.append(CareOccurrence(on: time(of: day), at: at, state: state, laterUntil: later))
            }
            isSuperseded = isSuperseded || at <= now
        }
        return found.reversed()
    }

    /// Those that were done or left out.
    package func settledOccurrences(_ instants: [CivilTime: Timestamp]) -> [CareOccurrence] {
        settled.values.compactMap { act in
            instants[act.on].map {
                CareOccurrence(on: act.on, at: $0, state: act.what == .done ? .done : .skipped, act: act)
            }
        }.sorted { $0.on < $1.on }
    }
}

/// How a reminder is at a time.
package struct ReminderStanding: Hashable, Sendable {
    /// The occurrence that is open or, where none is, the next.
    package var current: CareOccurrence?
    /// How many were missed right before it: `ReminderCourse.mostMissed` of them, or more.
    package var missed: Int
    /// For how many days it has been late.
    package var daysLate: Int
}

extension ReminderCourse {
    package func standing(
        _ instants: [CivilTime: Timestamp], now: Timestamp, today: CivilDay
    ) -> ReminderStanding {
        let all = occurrences(instants, now: now, today: today)
        guard let place = all.firstIndex(where: { $0.state != .missed }) else {
            return ReminderStanding(current: nil, missed: 0, daysLate: 0)
        }
        let current = all[place]
        // What was done in between ends the line of those that were missed.
        let lastSettled = settled.keys.filter { $0 < CivilDay(current.on) }.max() ?? CivilDay(number: .min)
        let missed = all[..<place].filter { CivilDay($0.on) > lastSettled }.count
        return ReminderStanding(
            current: current, missed: min(missed, Self.mostMissed),
            daysLate: current.state == .late ? today - CivilDay(current.on) : 0)
    }
}
