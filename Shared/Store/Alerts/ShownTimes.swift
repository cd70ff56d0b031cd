/// What is shown of an alert's times, corrected by the lag of its device's clock.
enum ShownTimes {
    /// The correction of an alert `a`, by the lag in seconds that is known now. An alert whose reading came as promptly as readings of a
    /// right clock do was made when the clock was right; and the times of a silence are ours.
    static func lag(known: String) -> String {
        """
        SELECT make_interval(secs => CASE
                WHEN a.kind IN ('range', 'fault', 'rate', 'ahead')
                    AND abs(extract(epoch FROM a.received_at - a.event_time) - known.lag) < least(900, abs(known.lag) / 2.0)
                THEN known.lag ELSE 0 END) AS lag
            FROM (SELECT \(known) AS lag OFFSET 0) AS known
        """
    }
}
