import Postgres
import Store
import WaterQuality

/// Leases what waits for some accounts by turns, a little for each, and nothing but what is critical, or told together with it, for those that have
/// enough on its way: however much waits for one of them, an alert of another is found behind it.
///
/// Accounts are looked up one after the other in the indexes that begin with them, so that all of an account's alerts cost one look.
struct LeaseInTurn: Statement {
    static let sql = Leasing.sql(
        """
        alerts_of AS (
            \(walk("alerts_of", over: "alert", where: "state = 'decided'"))
        ), deliveries_of AS (
            \(walk("deliveries_of", over: "delivery", where: "state = 'pending' AND next_attempt_at <= now()"))
        ), heads AS (
            SELECT h.* FROM (\(turns("alerts_of"))) w CROSS JOIN LATERAL (
                SELECT \(Leasing.columns) FROM alert a
                WHERE account_id = w.account_id AND slot + 0 = ANY ($1::smallint[]) AND state = 'decided' AND \(Leasing.isFirst)
                ORDER BY decided_at
                LIMIT $2
                FOR UPDATE SKIP LOCKED) h
            UNION ALL
            -- a message is critical when any of its alerts is, and that leads to the first of them
            SELECT h.* FROM unnest($8::bigint[]) AS w (account_id) CROSS JOIN LATERAL (
                SELECT \(Leasing.columns) FROM (
                    SELECT DISTINCT u.slot AS of_slot, coalesce(head.alert_id, u.alert_id) AS of_alert FROM (
                        SELECT slot, alert_id, group_id FROM alert
                        WHERE account_id = w.account_id AND slot + 0 = ANY ($1::smallint[]) AND state = 'decided' AND critical
                        ORDER BY decided_at
                        LIMIT $2) u
                    LEFT JOIN alert head ON head.group_id = u.group_id AND head.uid = u.group_id AND head.state = 'decided') c
                JOIN alert a ON a.slot = c.of_slot AND a.alert_id = c.of_alert AND a.state = 'decided'
                FOR UPDATE OF a SKIP LOCKED) h
        ), due AS (
            SELECT p.* FROM (\(turns("deliveries_of"))) w CROSS JOIN LATERAL (
                SELECT slot, alert_id, endpoint_id FROM delivery
                WHERE account_id = w.account_id AND slot + 0 = ANY ($1::smallint[]) AND state = 'pending' AND next_attempt_at <= now()
                ORDER BY next_attempt_at
                LIMIT $2
                FOR UPDATE SKIP LOCKED) p
        )
        """)

    /// How many accounts have a turn in one lease.
    static let turns = 32
    /// How much of an account's is leased in its turn: so many alerts, and as many deliveries that are due.
    static let mostOfEach = 8

    private let terms: LeaseDeliveries
    private let last: Account.ID
    private let held: [Account.ID]
    private let urgent: [Account.ID]

    /// - Parameters:
    ///   - terms: How it is leased; its limit is that of each account.
    ///   - last: Whose turn was the last before: those with higher numbers come first, then all from the lowest on.
    ///   - held: The accounts that have no turn.
    ///   - urgent: Those of them whose critical alerts are leased.
    init(
        _ terms: LeaseDeliveries, after last: Account.ID, without held: Set<Account.ID>,
        butUrgentOf urgent: Set<Account.ID> = []
    ) {
        self.terms = terms
        self.last = last
        self.held = held.sorted()
        self.urgent = urgent.sorted()
    }

    func bind(_ parameters: inout Parameters) {
        terms.bind(&parameters)
        parameters.append(last)
        parameters.append(held)
        parameters.append(urgent)
    }

    static func decode(_ row: inout RowReader) throws -> LeasedDelivery {
        try LeasedDelivery(&row)
    }

    /// Walks over the accounts that have such rows: from the one whose turn was last, on from the lowest, and no further than once around.
    /// Accounts that are held are passed, and take nobody's turn.
    private static func walk(_ name: String, over table: String, where condition: String) -> String {
        """
        SELECT $6::bigint AS account_id, 0 AS turns, false AS has_turn, false AS is_around
            UNION ALL
            SELECT n.account_id, w.turns + f.has_turn::integer, f.has_turn, n.is_around
            FROM \(name) w
            CROSS JOIN LATERAL (
                SELECT min(r.account_id) AS above FROM \(table) r WHERE r.account_id > w.account_id AND \(condition)) AS a
            CROSS JOIN LATERAL (
                SELECT coalesce(a.above, (SELECT min(r.account_id) FROM \(table) r WHERE \(condition))) AS account_id,
                    w.is_around OR a.above IS NULL AS is_around) AS n
            CROSS JOIN LATERAL (SELECT n.account_id <> ALL ($7::bigint[]) AS has_turn) AS f
            WHERE w.turns < \(turns) AND n.account_id IS NOT NULL AND NOT (n.is_around AND (n.account_id > $6 OR w.is_around AND a.above IS NULL))
        """
    }

    /// The accounts of a walk that have a turn.
    private static func turns(_ walk: String) -> String { "SELECT account_id FROM \(walk) WHERE has_turn" }
}

extension LeasedDelivery {
    /// The account that had the last turn of some that were leased.
    static func lastTurn(of deliveries: [LeasedDelivery], after last: Account.ID) -> Account.ID {
        let accounts = deliveries.map(\.account)
        return accounts.filter { $0 <= last }.max() ?? accounts.max() ?? last
    }
}
