package import Postgres
import ServiceKit
import Store

/// Rolls up one hour of one slot, in a transaction of its own: short, and whole or not at all.
package struct RollUpStep: Sendable {
    /// Why an hour of a slot is rolled up.
    package enum Reason: String, MetricLabel {
        /// The slot's next complete hour.
        case ended
        /// An hour with late samples.
        case late
        package static let labelName = "reason"
    }

    /// Not durable: a crash of the server may undo a roll-up, and with it the note that it was done.
    package static let transaction = TransactionOptions(isDurable: false)

    private let reason: Reason

    package init(_ reason: Reason) { self.reason = reason }

    /// - Returns: false when there is nothing to do, or another Ingestor does it.
    package func perform(_ transaction: PostgresTransaction) throws -> Bool {
        guard let hour = try claim(transaction) else { return false }
        // In this order: see RollUpSchedule.
        let due = try transaction.execute(TakeDueDevices(hour))
        let isWhole = reason == .ended || due.contains(nil)
        let devices = isWhole ? [] : due.compactMap(\.self)
        let changed = try transaction.execute(RollUpHour(hour, devices: devices))
        let outside = try OutsideStep(hour: hour, devices: devices).perform(transaction)
        if reason == .late, !outside.isEmpty { try transaction.perform(MarkNextHourDue(after: hour, devices: outside)) }
        if hour.completesDay { try transaction.perform(RollUpDay(hour, devices: devices)) }
        if reason == .ended { try transaction.perform(AdvanceRollUps(hour)) }
        switch reason {
        case .ended:
            let days = JudgedDays.completed(by: hour.start)
            if !days.isEmpty { try transaction.perform(MarkDaysDue(hour, devices: [], days: days)) }
        case .late:
            let days = JudgedDays.around(hour.start)
            if !changed.isEmpty { try transaction.perform(MarkDaysDue(hour, devices: changed, days: days)) }
        }
        return true
    }

    private func claim(_ transaction: PostgresTransaction) throws -> ClaimedHour? {
        switch reason {
        case .ended: try transaction.execute(ClaimNextHour()).first
        case .late: try transaction.execute(ClaimDueHour()).first
        }
    }
}
