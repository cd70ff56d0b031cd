import WaterQuality

/// The shown times of an alert, corrected by the lag of its device's clock. The time at which a limit will be reached is stored
/// as it is by a right clock.
package enum ShownTimes {
    /// The correction `lag` of an alert `a`, and the one that is `known` of its device, in seconds, now. An alert whose reading came as
    /// promptly as readings of a right clock do was made when the clock was right. An all-clear is decided when the water has been calm
    /// for a while, so its reading is older than the lag alone makes it. The times of a silence are ours, and that of the end of
    /// watching is.
    package static func lag(known: String) -> String {
        """
        SELECT make_interval(secs => known.lag) AS known, make_interval(secs => CASE
                WHEN \(areOfTheDevice) AND NOT a.ended
                    AND CASE WHEN a.purpose IN ('recovery', 'past') THEN extract(epoch FROM a.decided_at - a.event_time) > known.lag
                        ELSE abs(extract(epoch FROM coalesce(a.received_at, a.decided_at) - a.event_time) - known.lag)
                            < least(900, abs(known.lag) / 2.0) END
                THEN known.lag ELSE 0 END) AS lag
            FROM (SELECT \(known) AS lag OFFSET 0) AS known
        """
    }

    /// When its reading was taken, by the correction `c`.
    package static let event = "a.event_time + c.lag"

    /// When its episode began, by the correction `c`: not what began by another clock, from which this one was put back.
    package static let opened = """
        a.opened_at + CASE
            WHEN a.ended AND \(areOfTheDevice) AND a.opened_at <= a.decided_at - c.known THEN c.known
            WHEN a.opened_at <= a.event_time THEN c.lag ELSE interval '0' END
        """

    private static let areOfTheDevice = "a.kind IN (\(Alert.Kind.list { !$0.timesAreOurs }))"
}
