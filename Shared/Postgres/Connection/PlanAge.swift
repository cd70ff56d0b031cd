/// How long a connection has used the plans of its statements.
///
/// The server makes a plan once and keeps it, however much a table has grown since, until autovacuum has looked at the table: a
/// minute in which a plan for an empty table can bring everything to a standstill. A connection that is at work
/// therefore has its statements planned anew from time to time; one that is not keeps them, so that a single alert does
/// not wait for it.
struct PlanAge {
    /// Enough transactions that planning, some milliseconds for all statements together, costs little.
    private static let transactionsBetween = 20

    private let oldest: Duration
    private var transactions = 0
    private var since: ContinuousClock.Instant

    /// - Parameter oldest: How long a connection at work keeps its plans.
    init(_ oldest: Duration, at now: ContinuousClock.Instant = .now) {
        self.oldest = oldest
        since = now
    }

    /// Counts a transaction.
    mutating func isTimeToReplan(at now: ContinuousClock.Instant) -> Bool {
        transactions += 1
        guard transactions >= Self.transactionsBetween, now - since >= oldest else { return false }
        transactions = 0
        since = now
        return true
    }
}
