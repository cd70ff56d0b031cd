package import Instants

/// The calls for an alarm that nobody answers, by the chain of the person whose alarm it is. Pure: the engine keeps it, looks at it when
/// it asks to be looked at, and makes the calls.
package struct Escalation: Hashable, Sendable {
    /// The beginning of the present round: the alarm, or the end of what held the calls back.
    package var beganAt: Timestamp
    /// The minutes of the last step of this round that was due; 0 before the first.
    package var calledThrough: Int
    package var round: Int
    /// Until when an answer, or a snooze, holds the calls back, as of the last look.
    package var heldUntil: Timestamp?
    /// When the trouble was first found to be over.
    package var overSince: Timestamp?

    /// How often the whole chain is gone through before somebody answers.
    package static let mostRounds = 3
    /// How long after the last step of a round the next one begins.
    package static let betweenRounds = Duration.seconds(3_600)
    /// The longest time between two looks, so that the end of the trouble is seen.
    package static let longestPause = Duration.seconds(60)
    /// The most calls of one person to others' alarms within an hour.
    package static let mostCallsAnHour = 10

    package init(
        beganAt: Timestamp, calledThrough: Int = 0, round: Int = 1, heldUntil: Timestamp? = nil,
        overSince: Timestamp? = nil
    ) {
        self.beganAt = beganAt
        self.calledThrough = calledThrough
        self.round = round
        self.heldUntil = heldUntil
        self.overSince = overSince
    }

    /// The reason for which whoever was called need do nothing any more.
    package enum End: Hashable, Sendable {
        case over
        /// Somebody is on it, or has snoozed it.
        case answered
    }

    package struct Look: Hashable, Sendable {
        package var next: Escalation
        /// The minutes of the steps to call now.
        package var due: [Int] = []
        package var callsOff: End?
        package var isEnded = false
        /// When to look again.
        package var againAt: Timestamp
    }

    /// Decides what is to be done now.
    /// - Parameters:
    ///   - isOpen: Whether the trouble goes on.
    ///   - answeredUntil: Until when somebody is on it, or has snoozed it; `nil` where nobody is.
    ///   - steps: The minutes of the chain as it is now, in order.
    ///   - calm: For how long the trouble has to be over before the calls end: values that leave their range and return go on being one.
    package func look(
        isOpen: Bool, answeredUntil: Timestamp?, steps: [Int], calm: Duration, now: Timestamp
    ) -> Look {
        var look = Look(next: self, againAt: now + Self.longestPause)
        // A beginning from a clock that was ahead would hold the calls back.
        if beganAt > now + EventTime.furthestAhead { look.next.beganAt = now }
        guard isOpen else {
            let since = min(overSince ?? now, now)
            look.next.overSince = since
            look.isEnded = now - since >= calm
            look.callsOff = look.isEnded ? .over : nil
            look.againAt = min(look.againAt, max(since + calm, now + .seconds(1)))
            return look
        }
        look.next.overSince = nil
        if let answeredUntil, answeredUntil > now {
            look.next.heldUntil = answeredUntil
            look.callsOff = .answered
            look.againAt = min(look.againAt, answeredUntil)
            return look
        }
        if heldUntil != nil { look.next = Escalation(beganAt: now) }
        look.next.beginNextRound(after: steps.last, now: now)
        let elapsed = Int((now - look.next.beganAt).components.seconds / 60)
        look.due = steps.filter { $0 > look.next.calledThrough && $0 <= elapsed }
        look.next.calledThrough = look.due.last ?? look.next.calledThrough
        if let step = steps.first(where: { $0 > look.next.calledThrough }) {
            look.againAt = min(look.againAt, look.next.beganAt + .seconds(60 * step))
        }
        return look
    }

    private mutating func beginNextRound(after last: Int?, now: Timestamp) {
        guard let last, calledThrough >= last, round < Self.mostRounds,
            now >= beganAt + .seconds(60 * last) + Self.betweenRounds
        else { return }
        self = Escalation(beganAt: now, round: round + 1)
    }
}
