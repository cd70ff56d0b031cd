package import Postgres

/// The progress of the upkeep.
package struct MeasureUpkeep: Statement {
    package static let sql = """
        SELECT
            (SELECT extract(epoch FROM now() - min(hours_until))::float8 FROM rollup_progress),
            (SELECT count(*) FROM (SELECT DISTINCT slot, hour FROM rollup_due) AS due),
            (SELECT count(*) FROM quality_due),
            (SELECT count(*) FROM pg_class
                WHERE relname > 'sample_' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')
                    -- not partitions that a clock which was ahead has left
                    AND relname <= 'sample_' || to_char(now() AT TIME ZONE 'UTC' + interval '4 days', 'YYYYMMDD')
                    AND relispartition AND relkind = 'r'),
            (SELECT count(*) FROM pg_stat_replication),
            (SELECT extract(epoch FROM now() - coalesce(snapshot_at, expected_since))::float8 FROM backup)
        """

    package struct Row: Sendable {
        /// The time since the end of the last hour that is rolled up in all slots. Normally at most a little over 75
        /// minutes.
        package var lagSeconds: Double
        /// The number of slots' hours that are due again.
        package var dueHours: Int64
        /// The number of devices' days that are due for the quality tests.
        package var dueDays: Int64
        /// The number of days after today that have partitions.
        package var partitionsAhead: Int64
        /// The number of standbys that receive from the server; a base backup in progress counts as one.
        package var standbys: Int64
        /// The age of the last good backup; if there is none, the time since the first was expected.
        package var backupAgeSeconds: Double
    }

    package init() {}

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            lagSeconds: row.read(), dueHours: row.read(), dueDays: row.read(), partitionsAhead: row.read(),
            standbys: row.read(), backupAgeSeconds: row.read())
    }
}
