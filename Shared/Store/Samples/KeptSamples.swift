/// How far back messages are stored, in SQL.
package enum KeptSamples {
    /// The beginning of the oldest day of messages still stored.
    package static let since = """
        (SELECT to_date(right(min(relname), 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' FROM pg_class
            WHERE relispartition AND relkind = 'r' AND relname >= 'sample_0' AND relname < 'sample_A')
        """
}
