/// What a person was told of a watch, as far as an all-clear ends it: the one reading of the alerts' purposes and states for the
/// recoveries of every kind.
package enum ToldAlarms {
    /// Whether an alert says that something is wrong, and is not of what the person had of the device before they gave it up. That
    /// nobody shares it any more ends an alarm.
    /// - Parameters:
    ///   - alert: The alert's row.
    ///   - episode: The row of an episode of the same watch.
    package static func isAlarm(_ alert: String, of episode: String) -> String {
        """
        (\(alert).purpose IN ('alarm', 'reminder') AND NOT \(alert).ended AND \(alert).decided_at >= coalesce((
            SELECT w.linked_at FROM ownership w WHERE w.slot = \(episode).slot AND w.device_id = \(episode).device_id
                AND w.account_id = \(episode).account_id AND w.unlinked_at IS NULL), '-infinity'))
        """
    }

    /// Whether an alert has come to somebody, wherever else it is still on its way.
    package static func hasCome(_ alert: String, of episode: String) -> String {
        """
        (\(alert).state = 'delivered' OR \(alert).state = 'sending' AND EXISTS (
            SELECT FROM delivery come
            WHERE come.slot = \(episode).slot AND come.alert_id = \(alert).alert_id AND come.state = 'accepted'))
        """
    }

    /// The endpoints that an all-clear is for, or an alarm, as conditions in SQL: those that hear at all hours, and the others. An alarm of
    /// the evening may have ended for the first at night, and for the others in the morning.
    package static func isAtOnce(_ alert: String) -> String { "\(alert).audience IS DISTINCT FROM 'gathered'" }
    package static func isForOthers(_ alert: String) -> String { "\(alert).audience IS DISTINCT FROM 'atOnce'" }

    /// The columns of an aggregate over alarms that have `is_at_once` and `is_for_others`: whether one is on its way, the last that has
    /// come, whether one has come that was for endpoints which hear at all hours, and when the last was decided that was for others.
    package static func summary(_ alarm: String, of episode: String) -> String {
        """
        bool_or(\(alarm).state IN ('decided', 'sending')) AS pending,
            (array_agg(\(alarm).alert_id ORDER BY \(alarm).alert_id DESC)
                FILTER (WHERE \(hasCome(alarm, of: episode))))[1] AS alert_id,
            bool_or(\(alarm).is_at_once AND \(hasCome(alarm, of: episode))) AS at_once,
            max(\(alarm).decided_at) FILTER (WHERE \(alarm).is_for_others AND \(hasCome(alarm, of: episode))) AS others_at
        """
    }

    /// Whether an alert is an all-clear that has come, or one of the episode that may still come. One of an earlier episode that is on
    /// its way will not be sent any more (`AlertTruth`), and what it would have said is owed still.
    package static func isAllClear(_ alert: String, before episode: String) -> String {
        """
        (\(alert).purpose = 'recovery' AND (\(hasCome(alert, of: episode))
            OR \(alert).state IN ('decided', 'sending') AND \(alert).episode_id = \(episode).episode_id))
        """
    }

    /// Whether an alert is an all-clear that has come, or may still come.
    package static func mayBeAllClear(_ alert: String) -> String {
        "(\(alert).purpose = 'recovery' AND \(alert).state NOT IN ('cancelled', 'undelivered'))"
    }
}
