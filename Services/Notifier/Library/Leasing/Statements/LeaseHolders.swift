import Instants
import Postgres
import Store
import WaterQuality

/// The number of a notifier that leases deliveries. It is valid as long as one of the notifier's sessions holds the
/// number's lock.
struct LeaseHolder: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32
}

/// Takes a number that no notifier had before, for as long as this connection lives.
struct BecomeLeaseHolder: Statement {
    static let sql = """
        INSERT INTO notifier DEFAULT VALUES
        -- locked before others see the row: they never find a fresh number without its lock
        RETURNING holder, pg_try_advisory_lock(7133703, holder)
        """
    static func decode(_ row: inout RowReader) throws -> LeaseHolder {
        try row.read()
    }
}

/// Takes a notifier's own number again after its session was lost. There is no row in two cases:
///
/// - The server has not noticed the loss and still keeps the lock for the dead session.
/// - Another notifier has ended the number's leases. The remaining deliveries are no longer this notifier's.
struct ReturnAsLeaseHolder: Statement {
    static let sql = """
        WITH lock AS MATERIALIZED (SELECT pg_try_advisory_lock(7133703, $1) AS is_held)
        UPDATE notifier n SET missing_since = NULL FROM lock
        WHERE lock.is_held AND n.holder = $1
        RETURNING n.holder
        """
    let holder: LeaseHolder
    init(_ holder: LeaseHolder) { self.holder = holder }
    func bind(_ parameters: inout Parameters) { parameters.append(holder) }
    static func decode(_ row: inout RowReader) throws -> LeaseHolder {
        try row.read()
    }
}

/// Makes deliveries due whose time lies further ahead than the longest wait, because the clock was set back since. The
/// result is their number.
struct RecallDeliveries: Statement {
    static let sql = """
        WITH recalled AS (
            UPDATE delivery SET next_attempt_at = now(), holder = NULL
            WHERE state = 'pending' AND next_attempt_at > now() + $1 * interval '1 us' AND slot = ANY ($2::smallint[])
            RETURNING alert_id
        )
        SELECT count(*) FROM recalled
        """
    /// The longest wait for a next attempt.
    let longest: Duration
    let slots: [Slot]

    func bind(_ parameters: inout Parameters) {
        parameters.append(longest.wholeMicroseconds)
        parameters.append(slots)
    }

    static func decode(_ row: inout RowReader) throws -> Int64 { try row.read() }
}

/// Ends the leases of holders that are gone, so that their deliveries are due at once. The result is their number.
struct EndOrphanedLeases: Statement {
    static let sql = """
        WITH missing AS (
            SELECT n.holder FROM notifier n
            WHERE NOT EXISTS (
                SELECT FROM pg_locks l
                WHERE l.locktype = 'advisory' AND l.classid = 7133703 AND l.objid = n.holder::oid AND l.objsubid = 2
                    AND l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))
        ), noted AS (
            UPDATE notifier n SET missing_since = now() FROM missing m
            WHERE n.holder = m.holder AND n.missing_since IS NULL
        ), gone AS (
            DELETE FROM notifier n USING missing m
            WHERE n.holder = m.holder AND n.missing_since <= now() - $1 * interval '1 us'
            RETURNING n.holder
        ), ended AS (
            UPDATE delivery SET next_attempt_at = now(), holder = NULL
            -- checked once, first: nearly always no holder is gone, and deliveries are not read
            WHERE (SELECT count(*) FROM gone) > 0 AND holder = ANY (ARRAY(SELECT holder FROM gone))
                -- not leases that a notifier of the previous version has taken since
                AND held_attempt = attempts
                AND slot = ANY ($2::smallint[]) AND state = 'pending' AND next_attempt_at > now()
            RETURNING alert_id
        )
        SELECT count(*) FROM ended
        """
    /// How long a holder may be without its lock and still come back.
    let absence: Duration
    let slots: [Slot]

    func bind(_ parameters: inout Parameters) {
        parameters.append(absence.wholeMicroseconds)
        parameters.append(slots)
    }

    static func decode(_ row: inout RowReader) throws -> Int64 { try row.read() }
}
