import Store
import WaterQuality

extension SettleAlerts.Settlement {
    /// What the deliveries of an alert mean for it and for the throttle that it charged. The throttle's own rule is
    /// the domain's.
    init(_ row: JudgeAlerts.Row) {
        let state = row.anyPending ? nil : row.firstAcceptance == nil ? "undelivered" : "delivered"
        guard let chargedAt = row.chargedAt else {
            self.init(alert: row.alert, account: row.account, state: state, refund: false, chargedAt: nil)
            return
        }
        let settled = Throttle(runsFrom: chargedAt, pending: row.alert.alert).settled(
            alert: row.alert.alert, event: row.chargedFor ?? chargedAt, decidedAt: row.decidedAt,
            firstAcceptance: row.firstAcceptance,
            anyPending: row.anyPending)
        self.init(
            alert: row.alert, account: row.account, state: state, refund: settled == nil,
            // Nobody is kept silent on the word of a clock that may be ahead.
            chargedAt: settled.flatMap { row.isClockTrusted && $0.runsFrom > chargedAt ? $0.runsFrom : nil })
    }
}
