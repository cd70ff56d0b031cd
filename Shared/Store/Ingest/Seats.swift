package import Postgres

/// The seats that exist and whether each is taken at this moment.
package struct ListSeats: Statement {
    package static let sql = """
        SELECT s.seat, s.session_open, extract(epoch FROM now() - s.last_held_at)::bigint,
            EXISTS (
                SELECT FROM pg_locks
                WHERE locktype = 'advisory' AND classid = 7133702 AND objid = s.seat::integer::oid AND objsubid = 2
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
        FROM ingest_seat s ORDER BY s.seat
        """

    package struct Row: Sendable {
        package var seat: Int16
        package var sessionOpen: Bool
        package var secondsSinceHeld: Int64
        package var isHeld: Bool
    }

    package init() {}

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(seat: row.read(), sessionOpen: row.read(), secondsSinceHeld: row.read(), isHeld: row.read())
    }
}

/// Takes a seat for as long as this connection lives; the result is false when somebody sits there.
package struct TakeSeat: Statement {
    package static let sql = "SELECT pg_try_advisory_lock(7133702, $1::smallint::integer)"
    let seat: Int16
    package init(_ seat: Int16) { self.seat = seat }
    package func bind(_ parameters: inout Parameters) { parameters.append(seat) }
    package static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Gives a seat back.
package struct LeaveSeat: Statement {
    package static let sql = "SELECT pg_advisory_unlock(7133702, $1::smallint::integer)"
    let seat: Int16
    package init(_ seat: Int16) { self.seat = seat }
    package func bind(_ parameters: inout Parameters) { parameters.append(seat) }
    package static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Says that the broker has, or no longer has, a session for a seat that this Ingestor holds.
package struct RecordSeat: Statement {
    package static let sql = """
        INSERT INTO ingest_seat (seat, session_open) VALUES ($1, $2)
        ON CONFLICT (seat) DO UPDATE SET session_open = excluded.session_open, last_held_at = now()
        """
    let seat: Int16
    let sessionOpen: Bool

    package init(_ seat: Int16, sessionOpen: Bool) {
        self.seat = seat
        self.sessionOpen = sessionOpen
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(seat)
        parameters.append(sessionOpen)
    }
}
