import Instants
import Postgres
import Store
import WaterQuality

/// Calls who is next in the chains of people who have not answered an alarm, and tells those who were called when it is over.
struct EscalationSweep {
    /// The most escalations of one transaction.
    static let limit = 50
    /// How long sweeps may follow each other before other things are looked at. A sweep begins every five seconds.
    static let lasts = Duration.seconds(1)

    let policy: AlertPolicy
    var makeUID: @Sendable (Timestamp) -> Alert.UID = Alert.UID.random

    private struct Pair: Hashable {
        var caller: Account.ID
        var called: Account.ID
    }

    struct Report: Sendable {
        /// The calls that were due, also those that come to nothing.
        var calls: [MakeCalls.Call] = []
        /// Whether more may be due.
        var isUnfinished = false
    }

    func perform(_ transaction: PostgresTransaction) throws -> Report {
        let slots = try transaction.execute(LockDueSlots(limit: Self.limit))
        guard !slots.isEmpty else { return Report() }
        let due = try transaction.execute(TakeDueEscalations(limit: Self.limit, in: slots)).gathered
        guard !due.isEmpty, let now = try transaction.execute(ReadClock()).first else { return Report() }
        var report = Report()
        var looks: [SettleEscalations.Settled] = []
        var ends: [CallOff.Ended] = []
        var called: [Pair: Int] = [:]
        for one in due {
            let steps = one.isLed ? [] : one.steps
            let look = one.state.look(
                isOpen: one.isOpen, answeredUntil: one.answer?.until, workedUntil: one.workedUntil,
                steps: steps.map(\.afterMinutes), calm: policy.recoveryDelay, now: now)
            looks.append(SettleEscalations.Settled(key: one.key, look: look, answer: one.answer))
            switch look.callsOff {
            case .over: ends.append(CallOff.Ended(key: one.key, taker: nil))
            // A snooze shows that its person has seen it, not that anybody goes: those who were called stay called.
            case .answered:
                if let person = one.answer?.person { ends.append(CallOff.Ended(key: one.key, taker: person)) }
            case nil: break
            }
            for step in steps where look.due.contains(step.afterMinutes) {
                let person = step.callee ?? one.account
                let pair = Pair(caller: one.account, called: person)
                let isBeyondBound =
                    step.callee != nil && !one.isCritical
                    && step.callsWithinHour + called[pair, default: 0] >= Escalation.mostCallsAnHour
                // The person's own quiet hours hold back nothing that is critical.
                let isReady =
                    step.outlook == .told || step.outlook == .quietHours && step.callee == nil && one.isCritical
                let isCalled = isReady && !isBeyondBound
                if isCalled { called[pair, default: 0] += 1 }
                report.calls.append(
                    MakeCalls.Call(
                        key: one.key, device: one.device, kind: one.kind, afterMinutes: step.afterMinutes,
                        person: person,
                        endpoint: step.endpoint,
                        outcome: isCalled ? .told : isReady ? .tooMany : step.outlook,
                        unanswered: now - one.alarmAt, uid: isCalled ? makeUID(now) : nil))
            }
        }
        if !ends.isEmpty { try transaction.perform(CallOff(ends)) }
        if !report.calls.isEmpty { try transaction.perform(MakeCalls(report.calls)) }
        try transaction.perform(SettleEscalations(looks))
        report.isUnfinished = due.count == Self.limit
        return report
    }
}
