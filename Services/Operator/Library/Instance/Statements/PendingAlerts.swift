import Instants
import Postgres
import Store

/// Counts what people would still be told of the past: alerts and deliveries on their way, and readings that wait for a
/// decision.
struct FindPending: Statement {
    static let sql = """
        SELECT
            (SELECT count(*) FROM alert WHERE state = 'decided'),
            (SELECT count(*) FROM delivery WHERE state = 'pending'),
            (SELECT count(DISTINCT account_id) FROM (
                SELECT account_id FROM alert WHERE state = 'decided'
                UNION ALL SELECT account_id FROM delivery WHERE state = 'pending') people),
            (SELECT min(a.decided_at) FROM alert a
                WHERE a.state = 'decided' OR a.state = 'sending' AND EXISTS (
                    SELECT FROM delivery d WHERE d.slot = a.slot AND d.alert_id = a.alert_id AND d.state = 'pending')),
            (SELECT count(*) FROM evaluation_batch),
            (SELECT min(received_at) FROM evaluation_batch)
        """

    struct Row: Sendable {
        /// Alerts that were not yet given to any endpoint.
        var alerts: Int64
        var deliveries: Int64
        var people: Int64
        /// When the oldest of these alerts was decided.
        var decidedAt: Timestamp?
        var batches: Int64
        /// When the oldest of these batches was received.
        var receivedAt: Timestamp?
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            alerts: row.read(), deliveries: row.read(), people: row.read(), decidedAt: row.read(),
            batches: row.read(), receivedAt: row.read())
    }
}

/// Gives up every alert that is on its way, so that nobody is told of it: the Notifier ends the deliveries as `stale`,
/// like those that come too late, and refunds their throttle. Episodes that go on are told with the next reading.
///
/// The result is the number of deliveries.
struct GiveUpPending: Statement {
    static let sql = """
        WITH fresh AS (
            SELECT slot, alert_id, account_id FROM alert WHERE state = 'decided' FOR UPDATE
        ), expanded AS ( -- an alert without an endpoint is left: it reaches nobody
            INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, expires_at)
            SELECT f.slot, f.account_id, f.alert_id, e.endpoint_id, 'epoch'
            FROM fresh f JOIN usable_endpoint e ON e.account_id = f.account_id
            RETURNING slot, alert_id
        ), begun AS (
            UPDATE alert a SET state = 'sending'
            FROM (SELECT DISTINCT slot, alert_id FROM expanded) x
            WHERE a.slot = x.slot AND a.alert_id = x.alert_id
        ), given_up AS ( -- too late by any clock
            UPDATE delivery SET expires_at = 'epoch' WHERE state = 'pending' RETURNING slot
        )
        SELECT (SELECT count(*) FROM expanded) + (SELECT count(*) FROM given_up)
        """

    static func decode(_ row: inout RowReader) throws -> Int64 { try row.read() }
}
