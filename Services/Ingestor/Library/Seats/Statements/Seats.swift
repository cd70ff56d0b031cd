import Instants
import Postgres
import Store

/// The existing seats and their current holders.
struct ListSeats: Statement {
    static let sql = """
        SELECT s.seat, s.session_open, s.last_held_at, l.pid
        FROM ingest_seat s
        LEFT JOIN pg_locks l ON l.locktype = 'advisory' AND l.classid = 7133702 AND l.objid = s.seat::integer::oid
            AND l.objsubid = 2 AND l.granted
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        ORDER BY s.seat
        """

    struct Row: Hashable, Sendable {
        var seat: Int16
        var sessionOpen: Bool
        /// The last sign of life. The holder updates it every five seconds.
        var lastHeldAt: Timestamp
        /// The server process of the connection that holds the seat; nil when it is empty.
        var holder: Int32?

        var isHeld: Bool { holder != nil }

        init(seat: Int16, sessionOpen: Bool, lastHeldAt: Timestamp, holder: Int32?) {
            self.seat = seat
            self.sessionOpen = sessionOpen
            self.lastHeldAt = lastHeldAt
            self.holder = holder
        }
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            seat: row.read(), sessionOpen: row.read(), lastHeldAt: row.read(),
            holder: row.read())
    }
}

/// Ends all connections of a frozen Ingestor that holds a seat, including one on which it was sending samples, whose
/// locks would block its successor. If the holder is this Ingestor itself, only the given connection ends, which was
/// lost on the way.
struct EvictHolder: Statement {
    static let sql = """
        SELECT pg_terminate_backend(all_of_it.pid)
        FROM pg_stat_activity holder
        JOIN pg_stat_activity all_of_it USING (usename, application_name)
        WHERE holder.pid = $1 AND all_of_it.pid <> pg_backend_pid()
            AND (all_of_it.pid = $1 OR application_name <> current_setting('application_name'))
            -- the process number may belong to another session by now
            AND EXISTS (
                SELECT FROM pg_locks l
                WHERE l.locktype = 'advisory' AND l.classid = 7133702 AND l.objid = $2::smallint::integer::oid
                    AND l.objsubid = 2 AND l.granted AND l.pid = $1
                    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))
        """
    let holder: Int32
    let seat: Int16

    init(_ holder: Int32, on seat: Int16) {
        self.holder = holder
        self.seat = seat
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(holder)
        parameters.append(seat)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Takes a seat for as long as this connection lives. The result is false when the seat is held.
struct TakeSeat: Statement {
    static let sql = "SELECT pg_try_advisory_lock(7133702, $1::smallint::integer)"
    let seat: Int16
    init(_ seat: Int16) { self.seat = seat }
    func bind(_ parameters: inout Parameters) { parameters.append(seat) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Records that the broker has a session for a seat that this Ingestor holds, and returns the session's name: the
/// existing one, or the proposed one if there is none.
struct OpenSeat: Statement {
    static let sql = """
        INSERT INTO ingest_seat (seat, session_open, session_id) VALUES ($1, true, $2)
        ON CONFLICT (seat) DO UPDATE SET session_open = true, last_held_at = now(),
            session_id = coalesce(ingest_seat.session_id, excluded.session_id)
        RETURNING session_id
        """
    let seat: Int16
    let proposal: String

    init(_ seat: Int16, proposal: String) {
        self.seat = seat
        self.proposal = proposal
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(seat)
        parameters.append(proposal)
    }

    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}

/// Records whether the broker has a session for a seat that this Ingestor holds, and whether everything in it was read.
/// The name of a session that has ended is deleted.
struct RecordSeat: Statement {
    static let sql = """
        INSERT INTO ingest_seat (seat, session_open, level_at) VALUES ($1, $2, CASE WHEN $3 THEN now() END)
        ON CONFLICT (seat) DO UPDATE SET session_open = excluded.session_open, last_held_at = now(),
            session_id = CASE WHEN excluded.session_open THEN ingest_seat.session_id END,
            level_at = coalesce(excluded.level_at, ingest_seat.level_at)
        """
    let seat: Int16
    let sessionOpen: Bool
    let isLevel: Bool

    init(_ seat: Int16, sessionOpen: Bool, isLevel: Bool) {
        self.seat = seat
        self.sessionOpen = sessionOpen
        self.isLevel = isLevel
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(seat)
        parameters.append(sessionOpen)
        parameters.append(isLevel)
    }
}
