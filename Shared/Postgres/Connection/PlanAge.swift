/// How long a connection has used the plans of its statements.
///
/// The server makes a plan once and keeps it, however much a table has grown since, until autovacuum has looked at the table: a
/// minute in which a plan for an empty table can bring everything to a standstill. A connection that is at work
/// therefore has its statements planned anew once a second; one that is not keeps them, so that a single alert does not
/// wait for it.
struct PlanAge {
    private static let oldest = Duration.seconds(1)
    /// Enough transactions that planning, some milliseconds for all statements together, costs little.
    private static let transactionsBetween = 20

    private var transactions = 0
    private var since: ContinuousClock.Instant

    init(at now: ContinuousClock.Instant = .now) { since = now }

    /// Counts a transaction.
    mutating func isTimeToReplan(at now: ContinuousClock.Instant) -> Bool {
        transactions += 1
        guard transactions >= Self.transactionsBetween, now - since >= Self.oldest else { return false }
        transactions = 0
        since = now
        return true
    }
}
