import Store
import WaterQuality

/// What is known of the water since an episode was closed.
enum CalmWater {
    /// What was received this lately is in the flow, whether it is decided or not: under load a slot is never empty.
    private static let lately = "now() - interval '1 s'"
    /// The newest rows of a device that are looked at: more than come between two looks, and a bound for a parameter that comes no more.
    private static let depth = 1_000
    /// How far ahead a clock may be, a minute between our own clocks included.
    private static let ahead = "interval '6 minutes'"

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

    /// Joins when the reading that closed an episode was received, as `closing`: without a row where no reading did. What was received
    /// before it says nothing of the time since, whatever time it carries: the device's clock may have been put back.
    /// - Parameter episode: Its row.
    static func closing(_ episode: String) -> String {
        """
        LEFT JOIN LATERAL (
            SELECT c.received_at FROM sample c
            WHERE c.slot = \(episode).slot AND c.device_id = \(episode).device_id AND c.event_time = \(episode).closed_at
            LIMIT 1) closing ON true
        LEFT JOIN device_clock clock ON clock.slot = \(episode).slot AND clock.device_id = \(episode).device_id
        """
    }

    /// When an episode was closed, by our clock: a device's may lag by hours.
    static func closedAt(_ episode: String) -> String { "greatest(\(episode).closed_at, closing.received_at)" }

    /// The event time of its parameter's newest reading after it that is decided unless readings wait; NULL where there is none. Of a
    /// device whose clock was put back since, readings carry earlier times for as long: of those it is the time of closing, and
    /// what has passed since by the right clock.
    /// - Parameter episode: Its row, with `closing` joined.
    static func newestReading(of episode: String) -> String {
        """
        greatest(
            (\(newest(of: episode, since: "\(episode).closed_at", received: "coalesce(closing.received_at, '-infinity')"))),
            CASE WHEN clock.stepped_at > closing.received_at
                -- no reading is received before it was measured: it was another clock that closed the episode
                AND \(episode).closed_at + \(lag) > closing.received_at + \(ahead)
            THEN \(episode).closed_at + \(lag) - closing.received_at + (
                \(newest(of: episode, since: "closing.received_at - \(lag)", received: "clock.stepped_at"))) END)
        """
    }

    private static let lag = "greatest(coalesce(clock.lag_seconds, 0), 0) * interval '1 s'"

    private static func newest(of episode: String, since: String, received: String) -> String {
        """
        SELECT s.event_time FROM (
            SELECT s.event_time, s.received_at, s.flags, \(Parameter.column(numbered: "\(episode).parameter", of: "s")) AS value
            FROM sample s
            WHERE s.slot = \(episode).slot AND s.device_id = \(episode).device_id AND s.event_time >= \(since)
                -- what the clock said before it was put back lies beyond
                AND s.event_time <= now() - \(lag) + \(ahead)
            ORDER BY s.event_time DESC
            LIMIT \(depth)) s
        WHERE s.value IS NOT NULL AND s.flags & 2 = 0 AND s.received_at >= \(received) AND s.received_at < \(lately)
            -- What is measured in work on the water says nothing: no episode opens by it. One look for all readings.
            AND NOT s.event_time <@ (
                SELECT coalesce(range_agg(w.period), '{}') FROM device_work w
                WHERE w.slot = \(episode).slot AND w.device_id = \(episode).device_id
                    AND w.ends_at > \(since) - interval '1 day' -- by our clock; that of no device is further ahead
                    AND w.period && tstzrange(\(since), NULL))
        ORDER BY s.event_time DESC
        LIMIT 1
        """
    }
}
