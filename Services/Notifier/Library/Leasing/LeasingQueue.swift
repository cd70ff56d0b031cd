import Postgres
import WaterQuality

/// In which order the next lease takes what waits, and how much of it.
struct LeasingQueue {
    /// How many deliveries are leased before it is known that there are many: the plan may be one for an empty table.
    private static let firstOfMany = 16
    /// How many are leased at once while one account has many, so that nobody else's alert waits for a long lease.
    private static let mostOfCrowd = HeldAccounts.many

    /// The accounts that have enough on its way.
    var held: Set<Account.ID> = [] {
        didSet { isCrowded = isCrowded || !held.isEmpty }
    }
    /// The accounts among them for which critical alerts are leased.
    var urgent: Set<Account.ID> = []
    /// Whether the last lease brought many rows.
    private(set) var isMuch = false
    /// The account whose turn was last.
    private(set) var last = Account.ID(rawValue: 0)
    /// Whether an account was held since the queue was last empty.
    private var isCrowded = false

    /// Whether accounts take turns, instead of what has waited longest.
    var isInTurn: Bool { !held.isEmpty }

    /// How many alerts, and as many due deliveries, the next lease takes; by turns, of each account.
    func limit(room: Int) -> Int {
        if isInTurn { return LeaseInTurn.mostOfEach }
        guard isMuch else { return min(room / 2, Self.firstOfMany) }
        return isCrowded ? min(room / 2, Self.mostOfCrowd) : room / 2
    }

    /// Notes what a lease has brought.
    mutating func leased(_ deliveries: [LeasedDelivery], limit: Int) {
        if isInTurn {
            last = LeasedDelivery.lastTurn(of: deliveries.filter { !held.contains($0.account) }, after: last)
        } else {
            isMuch = deliveries.count >= min(limit, PostgresTransaction.manyRows)
            if deliveries.count < limit { isCrowded = false }
        }
    }
}
