package import Instants
package import Postgres

/// Records the database's clock. The result is whether the clock is trusted for decisions that cannot be undone.
///
/// Every service calls it every 15 seconds. A clock is trusted while it runs on from its last record. After a jump, or
/// after five minutes without a record, the devices have to confirm it: see migration 10. In statements,
/// `clock_is_trusted()` returns the same without recording anything.
package struct NoteClock: Statement {
    package static let sql = "SELECT note_clock()"

    /// The interval between calls.
    package static let interval = Duration.seconds(15)

    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Declares the database's clock trusted from now on, on the word of the database's owner.
package struct TrustClock: Statement {
    package static let sql = "SELECT believe_clock(clock_timestamp())"
    package init() {}
}

/// Whether the database's clock is trusted for decisions that cannot be undone.
package struct AskClock: Statement {
    package static let sql = "SELECT clock_is_trusted()"
    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// The clock that closes hours: the present or, if later, the time up to which the clock was trusted before it was set
/// back.
package struct ReadClosingClock: Statement {
    package static let sql = "SELECT greatest(now(), (SELECT trusted_at FROM clock_watch WHERE is_only))"
    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Timestamp {
        try row.read()
    }
}
