import TestSupport

/// The database's facts about a round, read with psql and without the product's code.
struct StoredFacts: Sendable {
    private(set) var samples: [StoredSample] = []
    private(set) var episodes: [StoredEpisode] = []
    private(set) var alerts: [StoredAlert] = []
    private(set) var ends: [RoundRecord.EpisodeEnd: Int] = [:]
    private(set) var hours: [StoredHour] = []
    private(set) var silences: [StoredSilence] = []
    private(set) var work: [StoredWork] = []
    private(set) var derivedWrong: [String] = []
    private(set) var setAside = 0

    /// The position in the database where a round begins.
    struct Mark: Sendable {
        var time: Int
        var episode: Int
        var alert: Int
    }

    static func mark(_ database: TestDatabase) async throws -> Mark {
        let rows = try await database.sql(
            "SELECT coalesce((SELECT max(episode_id) FROM episode), 0), coalesce((SELECT max(alert_id) FROM alert), 0)")
        let cells = rows.split(separator: "|").compactMap { Int($0) }
        guard cells.count == 2 else { throw TestSupportError("The database does not say where it stands: \(rows)") }
        return Mark(time: wallClock(), episode: cells[0], alert: cells[1])
    }

    /// - Parameter odd: The misbehaving device of this round.
    static func read(_ database: TestDatabase, since mark: Mark, odd: String) async throws -> StoredFacts {
        let values = Water.all.map { "round(s.\($0.parameter)::numeric * 10)" }.joined(separator: ", ")
        func microseconds(_ column: String) -> String { "(extract(epoch FROM \(column)) * 1000000)::bigint" }
        func words(_ row: String) -> String {
            Water.all.map { water in
                let columns = ["sum", "min", "max"].map { "\(row).\(water.parameter)_\($0)" }.joined(separator: ", ")
                return "concat_ws(' ', coalesce(\(row).\(water.parameter)_count, 0), \(columns))"
            }.joined(separator: ", ")
        }
        let (rolledUp, summedUp) = (words("h"), words("s"))
        let sums = Water.all.map { water in
            let value = "\(water.parameter)"
            return [
                ("sum(\(value)::double precision)", "sum"), ("min(\(value))", "min"), ("max(\(value))", "max"),
                ("count(\(value))", "count"),
            ].map { "\($0) FILTER (WHERE NOT is_of_work) AS \(value)_\($1)" }.joined(separator: ", ")
        }.joined(separator: ", ")
        let text = try await database.sql(
            """
            SELECT 'sample', d.hardware_id, \(microseconds("s.event_time")), \(values)
            FROM sample s JOIN device d USING (slot, device_id)
            WHERE (d.hardware_id LIKE 'probe-%' AND s.event_time >= to_timestamp(\(mark.time) / 1000000.0))
                OR d.hardware_id = '\(odd)';
            SELECT 'episode', d.hardware_id, e.parameter, e.side, \(microseconds("e.opened_at")),
                \(microseconds("e.closed_at")), round(e.worst::numeric * 10)
            FROM episode e JOIN device d USING (slot, device_id) WHERE e.episode_id > \(mark.episode) AND e.kind = 'range';
            SELECT 'alert', a.alert_id, d.hardware_id, a.parameter, a.purpose, \(microseconds("e.opened_at")),
                \(microseconds("a.event_time")), \(microseconds("a.decided_at")),
                (SELECT \(microseconds("least(min(ended_at) FILTER (WHERE state = 'accepted'), min(ambiguous_at))"))
                FROM delivery l WHERE l.slot = a.slot AND l.alert_id = a.alert_id), a.uid, a.side,
                (SELECT \(microseconds("max(ended_at) FILTER (WHERE state = 'cancelled')"))
                FROM delivery l WHERE l.slot = a.slot AND l.alert_id = a.alert_id),
                (SELECT \(microseconds("min(pg_xact_commit_timestamp(l.xmin))"))
                FROM delivery l WHERE l.slot = a.slot AND l.alert_id = a.alert_id
                    AND (state = 'accepted' OR ambiguous_at IS NOT NULL AND state <> 'pending')),
                (SELECT string_agg(DISTINCT replace(t.detail, '|', ' '), '; ')
                FROM delivery l JOIN delivery_attempt t USING (slot, alert_id, endpoint_id)
                WHERE l.slot = a.slot AND l.alert_id = a.alert_id AND l.state = 'cancelled')
            FROM alert a JOIN device d USING (slot, device_id) JOIN episode e USING (slot, episode_id)
            WHERE a.alert_id > \(mark.alert) AND a.kind = 'range';
            SELECT 'end', d.hardware_id, e.parameter, \(microseconds("e.opened_at")), \(microseconds("t.decided_at"))
            FROM episode e JOIN device d USING (slot, device_id) JOIN transition t USING (slot, episode_id)
            WHERE e.episode_id > \(mark.episode) AND e.kind = 'range' AND t.reason <> 'opened';
            SELECT 'silence', d.hardware_id, \(microseconds("a.decided_at")) FROM alert a JOIN device d USING (slot, device_id)
            WHERE a.alert_id > \(mark.alert) AND a.kind = 'silence' AND d.hardware_id LIKE 'probe-%';
            SELECT 'work', d.hardware_id, w.work_id, \(microseconds("w.begins_at")), \(microseconds("w.until")),
                \(microseconds("w.ended_at")), \(microseconds("w.ends_at"))
            FROM water_work w JOIN device d USING (slot, device_id)
            WHERE w.entered_at >= to_timestamp(\(mark.time) / 1000000.0) AND d.hardware_id LIKE 'probe-%';
            SELECT 'refused', count(*) FROM reject WHERE reason = 'refused' AND topic = 'aqua/v1/\(odd)/readings';
            SELECT 'derived', d.hardware_id, \(microseconds("s.event_time"))
            FROM sample s JOIN device d USING (slot, device_id) CROSS JOIN LATERAL (SELECT 1 / (s.temperature + 273.15) AS t) k
            WHERE d.hardware_id LIKE 'probe-%' AND s.event_time >= to_timestamp(\(mark.time) / 1000000.0)
                -- all of it came together
                AND coalesce(s.filled, 0) = 0 AND s.temperature BETWEEN 0 AND 40 AND s.salinity BETWEEN 0 AND 40
                AND NOT coalesce(abs(s.oxygen_saturation - 100 * s.dissolved_oxygen / exp(-139.34411 + 1.575701e5 * t
                    - 6.642308e7 * t ^ 2 + 1.2438e10 * t ^ 3 - 8.621949e11 * t ^ 4
                    - s.salinity * (0.017674 - 10.754 * t + 2140.7 * t ^ 2))) < 0.01, s.dissolved_oxygen IS NULL);
            SELECT 'hour', d.hardware_id, \(microseconds("starts_at")), coalesce(s.worked, 0), \(rolledUp), coalesce(h.worked, 0),
                \(summedUp), coalesce(s.worked, 0)
            FROM (
                SELECT slot, device_id, date_trunc('hour', event_time, 'UTC') AS starts_at,
                    count(*) FILTER (WHERE is_of_work) AS worked, \(sums)
                FROM (
                    -- no clock here lags
                    SELECT s.*, coalesce(s.event_time <@ w.periods, false) AS is_of_work
                    FROM sample s LEFT JOIN (
                        SELECT slot, device_id, range_agg(tstzrange(begins_at, ends_at)) AS periods FROM water_work GROUP BY 1, 2
                    ) w USING (slot, device_id)
                ) AS flagged
                GROUP BY 1, 2, 3
            ) s
            FULL JOIN sample_hour h USING (slot, device_id, starts_at)
            JOIN rollup_progress p USING (slot) JOIN device d USING (slot, device_id)
            -- what was worked on was due, whether it lies before the first hour or not
            WHERE (starts_at >= p.hours_since OR s.worked > 0) AND starts_at < p.hours_until AND NOT EXISTS (
                SELECT FROM rollup_due u
                WHERE u.slot = p.slot AND coalesce(u.device_id, d.device_id) = d.device_id AND u.hour = starts_at);
            """)
        var facts = StoredFacts()
        for line in text.split(separator: "\n") {
            try facts.take(line.split(separator: "|", omittingEmptySubsequences: false).map(String.init))
        }
        return facts
    }

    private mutating func take(_ cells: [String]) throws {
        func number(_ column: Int) throws -> Int {
            guard cells.indices.contains(column), let number = Int(cells[column]) else {
                throw TestSupportError("There is no number in column \(column) of \(cells)")
            }
            return number
        }
        switch cells[0] {
        case "sample":
            samples.append(
                StoredSample(device: cells[1], time: try number(2), values: cells.dropFirst(3).map { Int($0) }))
        case "episode":
            episodes.append(
                StoredEpisode(
                    device: cells[1], parameter: try number(2), side: cells[3], openedAt: try number(4),
                    closedAt: Int(cells[5]), worst: try number(6)))
        case "end":
            let episode = RoundRecord.EpisodeEnd(
                device: cells[1], parameter: try number(2), openedAt: try number(3))
            ends[episode] = try number(4)
        case "refused": setAside = try number(1)
        case "silence": silences.append(StoredSilence(device: cells[1], decidedAt: try number(2)))
        case "derived": derivedWrong.append("\(cells[1]) at \(cells[2])")
        case "hour":
            let words = Array(cells.dropFirst(4))
            hours.append(
                StoredHour(
                    device: cells[1], start: try number(2), rolledUp: Array(words.prefix(Water.all.count + 1)),
                    samples: Array(words.dropFirst(Water.all.count + 1)), worked: try number(3)))
        case "work":
            work.append(
                StoredWork(
                    device: cells[1], id: cells[2], from: try number(3), until: try number(4), endedAt: Int(cells[5]),
                    endsAt: try number(6)))
        default:
            alerts.append(
                StoredAlert(
                    id: try number(1), uid: cells[9], device: cells[2], parameter: try number(3), purpose: cells[4],
                    side: cells[10], openedAt: try number(5), eventTime: try number(6), decidedAt: try number(7),
                    acceptedAt: Int(cells[8]), notedAt: Int(cells[12]),
                    cancelledAt: Int(cells[11]), cancelledBecause: cells[13].isEmpty ? nil : cells[13]))
        }
    }
}
