import Postgres

/// The size of the database and of its growing parts, with their growth per day.
struct MeasureDisk: Statement {
    static let sql = """
        WITH progress AS (
            SELECT min(hours_since) AS since, min(hours_until) AS until FROM rollup_progress
        ), day AS (
            -- the size of each day's partition of samples
            SELECT pg_total_relation_size(c.oid) AS bytes, to_date(right(c.relname, 8), 'YYYYMMDD') AS day
            FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = 'sample'::regclass
        ), month AS (
            -- the size of each month's partition of roll-ups, and how many days it holds
            SELECT pg_total_relation_size(oid) AS bytes,
                extract(epoch FROM least(until, (month + interval '1 month') AT TIME ZONE 'UTC')
                    - greatest(since, month AT TIME ZONE 'UTC')) / 86400 AS days, month
            FROM progress, (
                SELECT c.oid, to_date(right(c.relname, 6), 'YYYYMM') AS month
                FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'sample_hour'::regclass) AS m
        ), told AS (
            SELECT sum(pg_total_relation_size(t)) AS bytes
            FROM unnest('{episode,transition,alert,delivery,delivery_attempt}'::regclass[]) AS t
        ), oldest AS (
            SELECT min(first.decided_at) AS at FROM slot CROSS JOIN LATERAL (
                SELECT decided_at FROM alert WHERE slot = slot.slot ORDER BY alert_id LIMIT 1) AS first
        )
        SELECT pg_database_size(current_database()),
            (SELECT setting::bigint * 1024 * 1024 FROM pg_settings WHERE name = 'max_wal_size'),
            (SELECT sum(bytes)::bigint FROM day),
            (SELECT avg(bytes)::float8 FROM day
                WHERE day BETWEEN (now() AT TIME ZONE 'UTC')::date - 7 AND (now() AT TIME ZONE 'UTC')::date - 1
                    AND bytes > 65536),
            (SELECT sum(bytes)::bigint FROM month),
            (SELECT (bytes / days)::float8 FROM month WHERE days >= 1 AND bytes > 65536 ORDER BY month DESC LIMIT 1),
            pg_total_relation_size('sample_day'),
            (SELECT (pg_total_relation_size('sample_day') / nullif(greatest(extract(epoch FROM until - since) / 86400, 1), 0))::float8
                FROM progress),
            (SELECT bytes::bigint FROM told),
            (SELECT (told.bytes / greatest(extract(epoch FROM now() - oldest.at) / 86400, 1))::float8 FROM told, oldest)
        """

    struct Growth: Sendable {
        var bytes: Int64
        /// nil while too little is stored to measure it.
        var perDay: Double?
    }

    struct Row: Sendable {
        var database: Int64
        /// Largest size of the write-ahead log, which comes on top.
        var log: Int64
        var samples: Growth
        var hours: Growth
        var days: Growth
        var alerts: Growth
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            database: row.read(), log: row.read(), samples: Growth(bytes: row.read(), perDay: row.read()),
            hours: Growth(bytes: row.read(), perDay: row.read()), days: Growth(bytes: row.read(), perDay: row.read()),
            alerts: Growth(bytes: row.read(), perDay: row.read()))
    }
}
