import Postgres

/// One server's state in replication.
struct InspectReplication: Statement {
    static let sql = """
        SELECT system_identifier, is_standby,
            -- the timeline of the segment being written; that of the last checkpoint lags behind a promotion
            CASE WHEN NOT is_standby THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint END,
            coalesce(
                CASE WHEN is_standby THEN greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn())
                    ELSE pg_current_wal_lsn() END - '0/0'::pg_lsn, 0)::bigint,
            current_setting('synchronous_standby_names'),
            -- pg_basebackup copies the whole database and is no standby
            ARRAY(
                SELECT application_name FROM pg_stat_replication WHERE application_name <> 'pg_basebackup'
                ORDER BY application_name LIMIT 20),
            EXISTS (SELECT FROM pg_stat_wal_receiver)
        FROM pg_control_system(), pg_is_in_recovery() AS is_standby
        """

    struct Row: Hashable, Sendable {
        var system: Int64
        var isStandby: Bool
        /// nil for a standby, which cannot tell exactly.
        var timeline: Int64?
        /// Bytes of the write-ahead log that the server has written, or received.
        var position: Int64
        /// The standbys that commits wait for; empty: none.
        var synchronous: String
        /// The names of standbys that receive from this server.
        var followers: [String]
        /// Whether a standby is connected to another server that it follows.
        var receives: Bool
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            system: row.read(), isStandby: row.read(), timeline: row.read(), position: row.read(),
            synchronous: row.read(), followers: row.read(), receives: row.read())
    }
}

/// The server process behind a connection.
struct ReadServerProcess: Statement {
    static let sql = "SELECT pg_backend_pid()"
    static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}
