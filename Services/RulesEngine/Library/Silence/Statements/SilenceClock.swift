import Instants
import Postgres
import Store

/// Takes the turn to look for silence until the end of the transaction. The result is false when another engine has it.
struct TakeSilenceTurn: Statement {
    static let sql = "SELECT pg_try_advisory_xact_lock(7133705)"
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Notes that an engine looks, and tells since when silence counts: since every open session at the broker has a reader who
/// has lately left nothing in it, and since engines have looked at least once a minute.
struct RunSilenceClock: Statement {
    static let sql = """
        UPDATE silence_clock SET looked_at = now(), runs_from = CASE
            WHEN $1 OR runs_from > now() OR looked_at > now() OR looked_at < now() - interval '60 s'
                OR NOT coalesce((
                    SELECT bool_and(coalesce(level_at BETWEEN now() - interval '30 s' AND now() + interval '5 s', false))
                    FROM ingest_seat WHERE session_open), false)
            THEN now() ELSE runs_from END
        RETURNING runs_from, now()
        """

    /// Whether the clock has leapt, as far as the engine can tell.
    let startsAnew: Bool

    func bind(_ parameters: inout Parameters) { parameters.append(startsAnew) }

    static func decode(_ row: inout RowReader) throws -> (runsFrom: Timestamp, now: Timestamp) {
        (try row.read(), try row.read())
    }
}
