import Instants
import Postgres
import Store
import WaterQuality

/// Calls who is next in the chains of people who have not answered an alarm, and tells those who were called when it is over.
struct EscalationSweep {
    /// The most escalations of one transaction.
    static let limit = 50

    let policy: AlertPolicy
    var makeUID: @Sendable (Timestamp) -> Alert.UID = Alert.UID.random

    struct Report: Sendable {
        /// The calls that were due, also those that come to nothing.
        var calls: [MakeCalls.Call] = []
        /// Whether more may be due.
        var isUnfinished = false
    }

    func perform(_ transaction: PostgresTransaction) throws -> Report {
        let due = try transaction.execute(TakeDueEscalations(limit: Self.limit)).gathered
        guard !due.isEmpty, let now = try transaction.execute(ReadClock()).first else { return Report() }
        var report = Report()
        var looks: [SettleEscalations.Settled] = []
        var ends: [CallOff.Ended] = []
        var called: [Account.ID: Int] = [:]
        for one in due {
            let look = one.state.look(
                isOpen: one.isOpen, answeredUntil: one.answer?.until, steps: one.steps.map(\.afterMinutes),
                calm: policy.recoveryDelay, now: now)
            looks.append(SettleEscalations.Settled(key: one.key, look: look, answer: one.answer))
            if let end = look.callsOff {
                ends.append(CallOff.Ended(key: one.key, taker: end == .answered ? one.answer?.person : nil))
            }
            for step in one.steps where look.due.contains(step.afterMinutes) {
                let person = step.callee ?? one.account
                let isBeyondBound =
                    step.callee != nil
                    && step.callsWithinHour + called[person, default: 0] >= Escalation.mostCallsAnHour
                let isCalled = step.outlook == .told && !isBeyondBound
                if isCalled { called[person, default: 0] += 1 }
                report.calls.append(
                    MakeCalls.Call(
                        key: one.key, device: one.device, kind: one.kind, afterMinutes: step.afterMinutes,
                        person: person,
                        endpoint: step.endpoint,
                        outcome: isBeyondBound && step.outlook == .told ? .tooMany : step.outlook,
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
