package import Instants

/// Makes the running transaction wait for the disk when it commits, whatever it was begun with.
package struct MakeDurable: Statement {
    package static let sql = "SET LOCAL synchronous_commit TO DEFAULT"
    package init() {}
}

/// Gives the running transaction something to commit, so that its COMMIT waits for the disk and for the synchronous standby.
///
/// A commit is there when everything before it is: so a transaction that finds its rows stored already, by one whose end
/// was not heard, may say that they are safe. A transaction that writes nothing would say so at once.
package struct AwaitEarlierCommits: Statement {
    package static let sql = "SELECT pg_logical_emit_message(true, 'aquamonitor', '')"
    package init() {}
}

/// Has the connection's statements planned anew, for the tables as they are now.
///
/// A plan that was made while a table was nearly empty reads all of it; in an alert storm that is quadratic before
/// autovacuum has even looked. Planning costs milliseconds, so that it is for transactions with many rows.
package struct DiscardPlans: Statement {
    package static let sql = "DISCARD PLANS"
    /// From so many rows on.
    package static let worthwhile = 50
    package init() {}
}

/// The database's clock.
package struct ReadClock: Statement {
    package static let sql = "SELECT clock_timestamp()"
    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Timestamp { try row.read() }
}
