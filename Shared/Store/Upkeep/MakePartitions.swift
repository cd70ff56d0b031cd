package import Instants
package import Postgres

/// Creates the missing partitions of samples, of their hours and of the audit log. The result is the number created.
package struct MakePartitions: Statement {
    package static let sql = """
        SELECT make_sample_partitions(
            (now() AT TIME ZONE 'UTC')::date - $1::integer, (now() AT TIME ZONE 'UTC')::date + $2::integer)
            + make_hour_partitions() + make_audit_partitions()
        """

    let daysBack: Int32
    let daysAhead: Int32

    /// 8 days back cover the 7 days within which a device's clock is trusted. 3 days ahead cover a long weekend without
    /// upkeep.
    package init(daysBack: Int32 = 8, daysAhead: Int32 = 3) {
        self.daysBack = daysBack
        self.daysAhead = daysAhead
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(daysBack)
        parameters.append(daysAhead)
    }

    package static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}

/// Creates the partitions for the days of the given times. The days must lie within the retention that the database's
/// owner has set for samples.
package struct MakePartitionsOfDays: Statement {
    package static let sql = """
        WITH made AS MATERIALIZED (
            SELECT sum(make_sample_partitions(day, day)) FROM (
                SELECT DISTINCT (t AT TIME ZONE 'UTC')::date AS day FROM unnest($1::timestamptz[]) AS t) AS days
        )
        SELECT make_hour_partitions() FROM made
        """

    let times: [Timestamp]
    package init(_ times: [Timestamp]) { self.times = times }

    package func bind(_ parameters: inout Parameters) { parameters.append(times) }
    package static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}
