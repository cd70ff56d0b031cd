import WaterQuality

/// Whether what an alert says still holds: it is looked at when the alert is leased, and again when it has waited for its turn.
package enum AlertTruth {
    /// Whether an alarm or a reminder is of an episode that is open, and names the limit that is set; whether an all-clear is of a
    /// watch without an open episode, and of its last: after a newer one "since" is not true any more, and that has its own.
    /// A test always holds, and so do what is over and was told late, and the end of a call. A call holds while what it is about goes on
    /// and nobody is on it.
    /// - Parameters:
    ///   - alert: The alert's row.
    ///   - setting: The row of the setting as it is, joined by `current`.
    package static func holds(_ alert: String, by setting: String) -> String {
        """
        CASE
            WHEN \(alert).episode_id IS NULL OR \(alert).ended OR \(alert).purpose IN ('past', 'calledOff') THEN true
            WHEN \(alert).purpose = 'escalation' THEN EXISTS (
                SELECT FROM episode o WHERE o.slot = \(alert).slot AND o.device_id = \(alert).device_id
                    AND o.parameter IS NOT DISTINCT FROM \(alert).parameter AND o.account_id = \(alert).caller
                    AND o.kind = \(alert).kind AND o.closed_at IS NULL)
                AND NOT EXISTS (
                    SELECT FROM escalation x WHERE x.slot = \(alert).slot AND x.escalation_id = \(alert).escalation_id
                        AND (x.ended_at IS NOT NULL OR x.held_until > now()))
            WHEN \(alert).purpose = 'recovery' THEN NOT EXISTS (
                SELECT FROM episode o WHERE o.slot = \(alert).slot AND o.device_id = \(alert).device_id
                    AND o.parameter IS NOT DISTINCT FROM \(alert).parameter AND o.account_id = \(alert).account_id
                    AND o.kind = \(alert).kind AND o.closed_at IS NULL)
                -- the device's clock may have been put back since, by as much as time zones lie apart
                AND NOT EXISTS (
                    SELECT FROM episode o WHERE o.slot = \(alert).slot AND o.device_id = \(alert).device_id
                        AND o.opened_at >= \(alert).opened_at - interval '26 hours'
                        AND o.parameter IS NOT DISTINCT FROM \(alert).parameter AND o.account_id = \(alert).account_id
                        AND o.kind = \(alert).kind AND o.episode_id > \(alert).episode_id)
            -- by the key: the index of open episodes would be read for the whole slot
            ELSE coalesce((
                SELECT o.closed_at IS NULL FROM episode o WHERE o.slot = \(alert).slot AND o.episode_id = \(alert).episode_id), false)
                AND NOT \(limitHasChanged(since: alert, to: setting))
        END
        """
    }

    /// Whether an alarm of a digest is over by now.
    package static func isPast(_ alert: String) -> String {
        """
        (\(alert).audience IS NOT DISTINCT FROM 'gathered' AND \(alert).purpose = 'alarm' AND coalesce((
            SELECT o.closed_at IS NOT NULL FROM episode o
            WHERE o.slot = \(alert).slot AND o.episode_id = \(alert).episode_id), false))
        """
    }

    /// Whether an alert concerns an endpoint: an all-clear goes to those who got the alarm, or were not there yet, and not where
    /// every alert since the last all-clear has failed. The last 50 alerts of the watch are looked at. The end of a call goes to those whom the
    /// call has reached.
    /// - Parameters:
    ///   - delivery: The row of the delivery to the endpoint.
    ///   - alert: The alert's row.
    package static func concerns(_ delivery: String, of alert: String) -> String {
        """
        (CASE \(alert).purpose WHEN 'calledOff' THEN EXISTS (
            SELECT FROM alert c JOIN delivery p ON p.slot = c.slot AND p.alert_id = c.alert_id
                AND p.endpoint_id = \(delivery).endpoint_id AND (p.state IN ('accepted', 'pending') OR p.ambiguous_at IS NOT NULL)
            WHERE c.slot = \(alert).slot AND c.escalation_id = \(alert).escalation_id AND c.purpose = 'escalation'
                AND c.account_id = \(alert).account_id)
        WHEN 'recovery' THEN (
            SELECT coalesce(bool_or(p.state = 'accepted' OR p.ambiguous_at IS NOT NULL), true)
            FROM (
                SELECT w.alert_id, w.purpose, count(*) FILTER (WHERE \(ToldAlarms.mayBeAllClear("w")) AND EXISTS (
                        SELECT FROM delivery h WHERE h.slot = \(alert).slot AND h.alert_id = w.alert_id
                            AND h.endpoint_id = \(delivery).endpoint_id))
                    OVER (ORDER BY w.alert_id DESC) AS recoveries
                FROM (
                    (SELECT alert_id, purpose, state, kind FROM alert w
                    WHERE w.slot = \(alert).slot AND w.device_id = \(alert).device_id AND w.parameter = \(alert).parameter
                        AND w.account_id = \(alert).account_id AND w.alert_id < \(alert).alert_id
                    ORDER BY w.alert_id DESC
                    LIMIT 50)
                    UNION ALL
                    (SELECT alert_id, purpose, state, kind FROM alert w
                    WHERE \(alert).parameter IS NULL AND w.slot = \(alert).slot AND w.device_id = \(alert).device_id
                        AND w.parameter IS NULL AND w.account_id = \(alert).account_id
                        AND w.alert_id < \(alert).alert_id
                    ORDER BY w.alert_id DESC
                    LIMIT 50)) w
                WHERE w.kind = \(alert).kind
            ) told
            JOIN delivery p ON p.slot = \(alert).slot AND p.alert_id = told.alert_id
                AND p.endpoint_id = \(delivery).endpoint_id
            WHERE told.recoveries = 0 AND told.purpose IN ('alarm', 'reminder'))
        ELSE true END)
        """
    }

    /// Whether the limit that an alarm names is another one now. Nearly always the setting is older than the alarm.
    /// - Parameters:
    ///   - alert: The alert's row.
    ///   - setting: The row of the setting as it is.
    package static func limitHasChanged(since alert: String, to setting: String) -> String {
        """
        (coalesce(\(setting).valid_from > \(alert).decided_at, false) AND \(alert).kind IN (\(Alert.Kind.list { $0.namedLimit != nil }))
            AND EXISTS (
                SELECT FROM (
                    SELECT * FROM setting f WHERE f.slot = \(alert).slot AND f.device_id = \(alert).device_id
                        AND f.account_id = \(alert).account_id AND f.parameter = \(alert).parameter
                        AND f.valid_from <= \(alert).decided_at
                    ORDER BY f.version DESC
                    LIMIT 1) former
                CROSS JOIN LATERAL \(limits(of: "former", at: alert)) then_set
                CROSS JOIN LATERAL \(limits(of: setting, at: alert)) now_set
                WHERE \(limit(named: alert, in: "former", "then_set")) IS DISTINCT FROM \(limit(named: alert, in: setting, "now_set"))))
        """
    }

    /// Joins the setting as it is, which an alert may not have.
    package static func current(_ setting: String, of alert: String) -> String {
        """
        LEFT JOIN setting \(setting) ON \(setting).slot = \(alert).slot AND \(setting).device_id = \(alert).device_id
            AND \(setting).account_id = \(alert).account_id AND \(setting).parameter = \(alert).parameter
            AND \(setting).valid_until IS NULL
        """
    }

    /// The limits of a setting for the time of which an alarm tells: what changes by the clock is no change.
    private static func limits(of setting: String, at alert: String) -> String {
        """
        limits_at(\(setting).periods, \(setting).minimum, \(setting).maximum, \(setting).critical_minimum, \(setting).critical_maximum,
            \(alert).event_time)
        """
    }

    private static func limit(named alert: String, in setting: String, _ limits: String) -> String {
        """
        CASE \(alert).kind \(Alert.Kind.allCases.compactMap { kind in
            kind.rules.namedLimit.map { "WHEN '\(kind.rawValue)' THEN \(column($0, named: alert, in: setting, limits))" }
        }.joined(separator: " ")) END
        """
    }

    private static func column(
        _ limit: KindRules.NamedLimit, named alert: String, in setting: String, _ limits: String
    ) -> String {
        switch limit {
        case .ofChange: "\(setting).\(WatchSetting.change.column)"
        case .ofRange:
            """
            CASE WHEN coalesce(\(alert).heading, \(alert).side) = 'high'
                THEN CASE WHEN \(alert).critical THEN \(limits).critical_high ELSE \(limits).high END
                ELSE CASE WHEN \(alert).critical THEN \(limits).critical_low ELSE \(limits).low END END
            """
        }
    }
}
