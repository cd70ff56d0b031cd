import WaterQuality

/// What is known of the water since an episode was closed.
enum CalmWater {
    /// What was received this lately is in the flow, whether it is decided or not: under load a slot is never empty.
    private static let lately = "now() - interval '1 s'"

    /// Whether readings wait that might show that it is open again: in its slot for their decision, or at the broker.
    /// - Parameters:
    ///   - episode: Its row.
    ///   - floors: An array of the batch numbers up to which nothing waits, one for each slot.
    static func mayEnd(of episode: String, floors: String) -> String {
        """
        (EXISTS (SELECT FROM evaluation_batch b
            WHERE b.slot = \(episode).slot AND b.batch_id > (\(floors))[\(episode).slot + 1]
                AND b.received_at < \(lately))
        OR EXISTS (SELECT FROM ingest_seat WHERE session_open
            AND NOT coalesce(level_at BETWEEN now() - interval '30 s' AND now() + interval '5 s', false)))
        """
    }

    /// The event time of its parameter's newest reading after it that is decided unless readings wait; NULL where there is none.
    /// - Parameter episode: Its row.
    static func newestReading(of episode: String) -> String {
        """
        (SELECT s.event_time FROM sample s
        WHERE s.slot = \(episode).slot AND s.device_id = \(episode).device_id AND s.event_time >= \(episode).closed_at
            AND s.flags & 2 = 0 AND s.received_at < \(lately) AND CASE \(episode).parameter
                \(Parameter.allCases.map { "WHEN \($0.rawValue) THEN s.\($0.name)" }.joined(separator: " "))
            END IS NOT NULL
        ORDER BY s.event_time DESC
        LIMIT 1)
        """
    }
}
