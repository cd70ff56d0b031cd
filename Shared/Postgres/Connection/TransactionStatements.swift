package import Instants

/// Makes the running transaction wait for the disk when it commits, whatever it began with.
package struct MakeDurable: Statement {
    package static let sql = "SET LOCAL synchronous_commit TO DEFAULT"
    package init() {}
}

/// Gives the running transaction something to commit, so that its COMMIT waits for the disk and the synchronous
/// standby.
///
/// A COMMIT that has waited proves that everything before it is safe. So a transaction that finds its rows stored
/// already, by one whose outcome is unknown, may confirm them. Without this statement a transaction that writes nothing
/// would confirm at once.
package struct AwaitEarlierCommits: Statement {
    package static let sql = "SELECT pg_logical_emit_message(true, 'aquamonitor', '')"
    package init() {}
}

/// Makes the server plan the connection's statements anew, for the tables as they are now.
///
/// A plan made while a table was nearly empty reads the whole table; in an alert storm that is quadratic before
/// autovacuum has even looked. Planning costs milliseconds, so this is for transactions with many rows.
package struct DiscardPlans: Statement {
    package static let sql = "DISCARD PLANS"
    /// The number of rows from which replanning pays.
    package static let worthwhile = 50
    package init() {}
}

/// The database's clock.
package struct ReadClock: Statement {
    package static let sql = "SELECT clock_timestamp()"
    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Timestamp { try row.read() }
}
