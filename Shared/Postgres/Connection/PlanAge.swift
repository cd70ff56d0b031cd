/// The age of a connection's cached statement plans.
///
/// The server makes a plan once and keeps it, however much a table grows, until autovacuum has looked at the table: in
/// that minute a plan for an empty table can bring everything to a standstill. A busy connection therefore has its
/// statements planned anew from time to time; an idle one keeps its plans, so that a single alert does not wait for
/// planning.
struct PlanAge {
    /// The fewest transactions between two plannings: planning takes some milliseconds for all statements together.
    private static let transactionsBetween = 20

    /// The time for which plans serve many rows, during which a table grows by some thousand rows.
    private static let oldestForMany = Duration.milliseconds(250)

    private let oldest: Duration
    private var transactions = 0
    private var since: ContinuousClock.Instant

    /// - Parameter oldest: The time for which a busy connection keeps its plans.
    init(_ oldest: Duration, at now: ContinuousClock.Instant = .now) {
        self.oldest = oldest
        since = now
    }

    /// Tells whether the plans are old enough to be made anew for many rows, for which a wrong one is quadratic. In a storm each transaction
    /// has many, and planning for each costs more than the rows.
    mutating func isTimeToReplanForMany(at now: ContinuousClock.Instant) -> Bool {
        guard now - since >= Self.oldestForMany else { return false }
        transactions = 0
        since = now
        return true
    }

    /// Counts a transaction, and tells whether the plans are old enough to be made anew.
    mutating func isTimeToReplan(at now: ContinuousClock.Instant) -> Bool {
        transactions += 1
        guard transactions >= Self.transactionsBetween, now - since >= oldest else { return false }
        transactions = 0
        since = now
        return true
    }
}
