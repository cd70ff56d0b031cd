import Store

/// The alerts whose interval ran when a critical one broke through it. The critical one took over the charge of the throttle,
/// and gives it back if nobody gets it: whoever was told within the interval is not told again before its end.
///
/// Each side has its own throttle. An all-clear gives the charges before it back, of both sides, or will when it has come. The last
/// 50 alerts of a watch are looked at: more than an interval of a few hours has. Where more were made within one, the charge is
/// over, and the person may be told again before its end.
enum BrokenThrough {
    /// The states of alerts that may still end.
    static let onTheirWay = "'decided', 'sending'"
    /// That of alerts that were told.
    static let told = "'delivered'"
    /// All of these.
    static let standing = "\(onTheirWay), \(told)"

    /// The columns `alert_id` and `event_time` of the alerts before a critical one, the newest first.
    /// - Parameters:
    ///   - alert: The critical alert's row.
    ///   - states: The states of those that are looked for.
    static func select(before alert: String, in states: String) -> String {
        """
        SELECT w.alert_id, w.event_time FROM (
            SELECT *, count(*) FILTER (WHERE \(ToldAlarms.mayBeAllClear("latest")))
                OVER (ORDER BY alert_id DESC) AS recoveries
            FROM (
                SELECT alert_id, event_time, kind, purpose, side, state, ended FROM alert
                WHERE slot = \(alert).slot AND device_id = \(alert).device_id AND parameter = \(alert).parameter
                    AND account_id = \(alert).account_id AND alert_id < \(alert).alert_id
                ORDER BY alert_id DESC
                LIMIT 50) latest
            WHERE kind = \(alert).kind
        ) w
        WHERE w.recoveries = 0 AND w.side IS NOT DISTINCT FROM \(alert).side AND w.purpose IN ('alarm', 'reminder') AND NOT w.ended
            AND w.state IN (\(states))
        ORDER BY w.alert_id DESC
        """
    }

    /// Common table expressions that end the charges of alerts that nobody got: each goes back to the alert that it was
    /// taken from, or is over.
    /// - Parameters:
    ///   - refunds: The name of the expression with the throttles' `slot`, `account_id` and `alert_id`.
    ///   - states: The states of alerts that get a charge back. Those that may still end have to be locked (`LockAlerts`).
    static func refund(_ refunds: String, to states: String = standing) -> String {
        """
        taken AS (
            SELECT r.slot, r.account_id, r.alert_id, b.alert_id AS taken_from, b.event_time
            FROM \(refunds) r JOIN alert c ON c.slot = r.slot AND c.alert_id = r.alert_id AND c.critical
            CROSS JOIN LATERAL (
                \(select(before: "c", in: states))
                LIMIT 1
            ) b
        ), given_back AS (
            UPDATE throttle t SET charged_at = k.event_time, event_time = k.event_time, alert_id = k.taken_from
            FROM taken k WHERE t.slot = k.slot AND t.account_id = k.account_id AND t.alert_id = k.alert_id
        ), refunded AS (
            DELETE FROM throttle t USING \(refunds) r
            WHERE t.slot = r.slot AND t.account_id = r.account_id AND t.alert_id = r.alert_id
                AND NOT EXISTS (SELECT FROM taken k WHERE k.slot = r.slot AND k.alert_id = r.alert_id)
        )
        """
    }
}
