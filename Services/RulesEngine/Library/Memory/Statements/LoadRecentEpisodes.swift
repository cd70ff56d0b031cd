import Instants
import Postgres
import Store
import WaterQuality

/// When the last episodes of some watches began, open or closed, no matter on which side, and when one of their readings was
/// doubted last.
struct LoadRecentEpisodes: Statement {
    static let sql = """
        SELECT wanted.slot, wanted.device_id, wanted.parameter, wanted.account_id, coalesce(e.openings, '{}'), e.doubted_at
        FROM unnest($1::smallint[], $2::integer[], $3::smallint[], $4::bigint[], $5::timestamptz[])
            AS wanted (slot, device_id, parameter, account_id, since)
        CROSS JOIN LATERAL (
            SELECT array_agg(opened_at ORDER BY opened_at) FILTER (WHERE opened_at >= wanted.since) AS openings,
                max(doubted_at) AS doubted_at
            FROM (
                SELECT opened_at, doubted_at FROM episode
                -- one that has lasted for longer than a day, and was doubted just before its end, is believed less
                WHERE slot = wanted.slot AND device_id = wanted.device_id AND opened_at >= wanted.since - interval '1 day'
                    AND parameter = wanted.parameter AND account_id = wanted.account_id AND kind = 'range'
                ORDER BY opened_at DESC
                LIMIT \(Flutter.enough)
            ) AS latest
        ) e
        WHERE e.openings IS NOT NULL OR e.doubted_at IS NOT NULL
        """

    struct Row: Sendable {
        var key: WatchKey
        /// By event time, oldest first.
        var openings: [Timestamp]
        var doubtedAt: Timestamp?
    }

    let watches: [(key: WatchKey, since: Timestamp)]

    /// - Parameter watches: The watches, each with the time from which on beginnings count.
    init(_ watches: [(key: WatchKey, since: Timestamp)]) { self.watches = watches }

    func bind(_ parameters: inout Parameters) {
        parameters.append(keys: watches.map(\.key))
        parameters.append(watches.map(\.since))
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(key: WatchKey(&row), openings: row.read(), doubtedAt: row.read())
    }
}
