package import Postgres
import Store

/// One hour of one slot into the roll-ups, in a transaction of its own: short, and whole or not at all.
package struct RollUpStep: Sendable {
    package enum Turn: CaseIterable, Sendable {
        /// The next hour that has ended.
        case next
        /// An hour of which something came late.
        case dueAgain
    }

    /// A crash of the server may undo a roll-up: together with the mark that it is due.
    package static let transaction = TransactionOptions(isDurable: false)

    private let turn: Turn

    package init(_ turn: Turn) { self.turn = turn }

    /// - Returns: false when there is nothing to do, or somebody else does it.
    package func perform(_ transaction: PostgresTransaction) throws -> Bool {
        guard let hour = try claim(transaction) else { return false }
        // In this order: see RollUpSchedule.
        let due = try transaction.execute(TakeDueDevices(hour))
        let isWhole = turn == .next || due.contains(nil)
        let devices = isWhole ? [] : due.compactMap(\.self)
        try transaction.perform(RollUpHour(hour, devices: devices))
        if hour.completesDay { try transaction.perform(RollUpDay(hour, devices: devices)) }
        if turn == .next { try transaction.perform(AdvanceRollUps(hour)) }
        return true
    }

    private func claim(_ transaction: PostgresTransaction) throws -> ClaimedHour? {
        switch turn {
        case .next: try transaction.execute(ClaimNextHour()).first
        case .dueAgain: try transaction.execute(ClaimDueHour()).first
        }
    }
}
