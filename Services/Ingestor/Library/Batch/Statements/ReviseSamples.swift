import Postgres
import Store
import WaterQuality

/// Takes over values that the present station of a site has corrected, with what follows from them. Values that were deleted stay so, values of a period
/// that the owner has approved stay as they are, and so do those from before the owner named the station, which may be another's.
struct ReviseSamples: Statement {
    static let sql = """
        WITH revised AS (
            UPDATE sample s SET \(each(", ") { "\($0) = CASE WHEN s.\($0) IS NOT NULL AND n.\($0) IS NOT NULL THEN n.\($0) ELSE s.\($0) END" })
            FROM unnest(\(SampleColumns.arrays)) AS n (\(SampleColumns.names))
            JOIN station t ON t.slot = n.slot AND t.device_id = n.device_id AND t.address IS NOT NULL
            WHERE s.slot = n.slot AND s.device_id = n.device_id AND s.event_time = n.event_time
                AND s.flags & 1 = 0 AND n.flags & 1 = 0 -- two moments that both are the source's
                AND (\(each(" OR ") { "s.\($0) <> n.\($0)" }))
                AND t.set_at <= s.event_time
                AND ( -- looked up for each sample, by the index of the tank
                    SELECT true FROM approval a
                    WHERE a.slot = t.slot AND a.tank_id = t.tank_id AND a.withdrawn_at IS NULL
                        AND a.since <= s.event_time AND a.until > s.event_time
                    LIMIT 1) IS NULL
            RETURNING s.slot, s.device_id, s.event_time
        ), told AS MATERIALIZED (
            SELECT readings_were_revised(array_agg(slot), array_agg(device_id), array_agg(event_time)), count(*) AS samples
            FROM revised HAVING count(*) > 0
        )
        SELECT coalesce(sum(samples), 0)::bigint FROM told
        """

    private static func each(_ separator: String, _ text: (String) -> String) -> String {
        SampleColumns.each(separator: separator, text)
    }

    let samples: [Sample]

    /// - Parameter samples: Of sites, as their stations give them now.
    init(_ samples: [Sample]) {
        self.samples = samples
    }

    func bind(_ parameters: inout Parameters) { parameters.append(samples) }

    /// - Returns: How many samples were changed.
    static func decode(_ row: inout RowReader) throws -> Int64 { try row.read() }
}
