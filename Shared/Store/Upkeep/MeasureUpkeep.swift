package import Postgres

/// How far the upkeep is.
package struct MeasureUpkeep: Statement {
    package static let sql = """
        SELECT
            (SELECT extract(epoch FROM now() - min(hours_until))::float8 FROM rollup_progress),
            (SELECT count(*) FROM (SELECT DISTINCT slot, hour FROM rollup_due) AS due),
            (SELECT count(*) FROM pg_class
                WHERE relname > 'sample_' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')
                    -- not those that a clock which was ahead has left
                    AND relname <= 'sample_' || to_char(now() AT TIME ZONE 'UTC' + interval '4 days', 'YYYYMMDD')
                    AND relispartition AND relkind = 'r')
        """

    package struct Row: Sendable {
        /// Since the end of the hour up to which all slots are rolled up: up to 75 minutes, and a little, when all is well.
        package var lagSeconds: Double
        /// Hours of slots that are due again.
        package var dueHours: Int64
        /// Days after today that have a partition.
        package var partitionsAhead: Int64
    }

    package init() {}

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(lagSeconds: row.read(), dueHours: row.read(), partitionsAhead: row.read())
    }
}
