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

/// The database's clock.
package struct ReadClock: Statement {
    package static let sql = "SELECT clock_timestamp()"
    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Timestamp { try row.read() }
}
