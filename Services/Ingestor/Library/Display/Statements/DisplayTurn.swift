import Postgres

/// Takes the turn to keep displays, for as long as this connection lives. The result is false while another Ingestor
/// has it.
struct TakeDisplayTurn: Statement {
    static let sql = "SELECT pg_try_advisory_lock(7133706, 0)"
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Asks whether the connection lives, and with it the turn: while nothing changes nothing else is asked.
struct ConfirmDisplayTurn: Statement {
    static let sql = "SELECT true"
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
