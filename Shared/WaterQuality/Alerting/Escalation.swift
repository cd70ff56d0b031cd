package import Instants

/// The calls for an alarm that nobody answers, by the chain of the person whose alarm it is. Pure: the engine keeps it, looks at it when
/// it asks to be looked at, and makes the calls.
package struct Escalation: Hashable, Sendable {
    /// The beginning of the present round: the alarm, or the end of what held the calls back.
    package var beganAt: Timestamp
    /// The minutes of the last step of this round that was due; 0 before the first.
    package var calledThrough: Int
    package var round: Int
    /// Until when an answer, a snooze or work on the water holds the calls back, as of the last look.
    package var heldUntil: Timestamp?
    /// When the trouble was first found to be over.
    package var overSince: Timestamp?

    /// How often the whole chain is gone through before somebody answers.
    package static let mostRounds = 3
    /// How long after the last step of a round the next one begins.
    package static let betweenRounds = Duration.seconds(3_600)
    /// The longest time between two looks while somebody who was called waits for the end, and otherwise.
    package static let longestPause = Duration.seconds(60)
    package static let longestCalmPause = Duration.seconds(240)
    /// How late a step is still called. What is later, after an outage or a leap of the clock, begins its round anew.
    package static let latest = Duration.seconds(1_200)
    /// For how long work on the water goes on holding the calls back: a reading from after it decides first.
    package static let afterWork = Duration.seconds(300)
    /// The most calls of one person for another's alarms within an hour.
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
        /// Somebody is on it, or the person has snoozed it.
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
    ///   - answeredUntil: Until when somebody is on it, or the person has snoozed it; `nil` where nobody is.
    ///   - workedUntil: Until when somebody works on the water, or lately did; `nil` where nobody does, and of what is critical. Like an
    ///     answer it holds the calls back, but it takes no call back.
    ///   - steps: The minutes of the chain as it is now, in order.
    ///   - calm: For how long the trouble has to be over before the calls end: values that leave their range and return go on being one.
    package func look(
        isOpen: Bool, answeredUntil: Timestamp?, workedUntil: Timestamp? = nil, steps: [Int], calm: Duration,
        now: Timestamp
    ) -> Look {
        var look = Look(next: self, againAt: now + pause(after: steps.last))
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
        if let held = workedUntil.map({ $0 + Self.afterWork }), held > now {
            look.next.heldUntil = held
            look.againAt = min(look.againAt, held)
            return look
        }
        if heldUntil != nil { look.next = Escalation(beganAt: now) }
        look.next.beginNextRound(after: steps.last, now: now)
        let elapsed = Int((now - look.next.beganAt).components.seconds / 60)
        look.due = steps.filter { $0 > look.next.calledThrough && $0 <= elapsed }
        if let first = look.due.first, now - look.next.beganAt > .seconds(60 * first) + Self.latest {
            (look.next, look.due) = (Escalation(beganAt: now, round: look.next.round), [])
        }
        look.next.calledThrough = look.due.last ?? look.next.calledThrough
        if !look.due.isEmpty { look.againAt = min(look.againAt, now + Self.longestPause) }
        if let step = steps.first(where: { $0 > look.next.calledThrough }) {
            look.againAt = min(look.againAt, look.next.beganAt + .seconds(60 * step))
        }
        return look
    }

    /// Before the first call nobody waits for the end, and after the last there is nothing more to do.
    private func pause(after last: Int?) -> Duration {
        let isCalled = calledThrough > 0 || round > 1
        let isThrough = round >= Self.mostRounds && calledThrough >= last ?? 0
        return isCalled && !isThrough ? Self.longestPause : Self.longestCalmPause
    }

    private mutating func beginNextRound(after last: Int?, now: Timestamp) {
        guard let last, calledThrough >= last, round < Self.mostRounds,
            now >= beganAt + .seconds(60 * last) + Self.betweenRounds
        else { return }
        self = Escalation(beganAt: now, round: round + 1)
    }
}
