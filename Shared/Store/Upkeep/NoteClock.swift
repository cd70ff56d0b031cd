package import Instants
package import Postgres

/// Notes what the database's clock says; the result is whether it is trusted with what cannot be undone.
///
/// Every service calls it each quarter of a minute: a clock is believed while it runs on from where it was last noted.
/// After a leap, or when nobody noted it for five minutes, the devices have to confirm it: see migration 10. In statements
/// `clock_is_trusted()` tells the same without noting anything.
package struct NoteClock: Statement {
    package static let sql = "SELECT note_clock()"

    /// How often to call it.
    package static let interval = Duration.seconds(15)

    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Believes the database's clock from now on, on the owner's word.
package struct TrustClock: Statement {
    package static let sql = "SELECT believe_clock(clock_timestamp())"
    package init() {}
}

/// Whether the database's clock is trusted with what cannot be undone.
package struct AskClock: Statement {
    package static let sql = "SELECT clock_is_trusted()"
    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// The clock as it closes hours: what it says, or, when it was set back, how far it was believed before.
package struct ReadClosingClock: Statement {
    package static let sql = "SELECT greatest(now(), (SELECT trusted_at FROM clock_watch WHERE is_only))"
    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Timestamp {
        try row.read()
    }
}
