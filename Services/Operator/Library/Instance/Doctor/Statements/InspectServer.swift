import Instants
import Postgres

/// The server's version, durability settings, clock and connections, and the role of this connection.
struct InspectServer: Statement {
    static let sql = """
        SELECT current_setting('server_version_num')::integer, current_setting('server_version'),
            array_remove(ARRAY[
                CASE WHEN current_setting('fsync') = 'off' THEN 'fsync' END,
                CASE WHEN current_setting('full_page_writes') = 'off' THEN 'full_page_writes' END,
                -- On a single server only off can lose commits. With standbys local and remote_write can, too: one that
                -- takes over may lack a commit.
                CASE WHEN current_setting('synchronous_commit') = 'off'
                    OR current_setting('synchronous_standby_names') <> ''
                        AND current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')
                    THEN 'synchronous_commit' END], NULL),
            clock_timestamp(), current_user::text,
            (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
            current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer,
            (SELECT count(*) FROM pg_stat_activity WHERE datid IS NOT NULL)::integer
        """

    struct Row: Sendable {
        var version: Int32
        var versionText: String
        /// The settings without which a crash loses what was committed.
        var unsafe: [String]
        var clock: Timestamp
        var role: String
        var isSuperuser: Bool
        /// The limit for everybody but superusers.
        var connections: Int32
        var connectionsInUse: Int32
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            version: row.read(), versionText: row.read(), unsafe: row.read(), clock: row.read(),
            role: row.read(), isSuperuser: row.read(), connections: row.read(), connectionsInUse: row.read())
    }
}

/// Roles and databases for which durability is switched off, or less than the server's, as `role: setting`.
struct FindUnsafeOverrides: Statement {
    static let sql = """
        SELECT coalesce(r.rolname, 'every role')::text || ': ' || setting
        FROM pg_db_role_setting s LEFT JOIN pg_roles r ON r.oid = s.setrole, unnest(s.setconfig) AS setting
        WHERE s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
            AND setting LIKE 'synchronous_commit=%'
            AND lower(split_part(setting, '=', 2)) NOT IN ('on', 'true', 'yes', '1', 'remote_apply')
        LIMIT 20
        """
    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}

/// The days that lack their partition of `sample`.
struct FindMissingPartitions: Statement {
    static let sql = """
        SELECT to_char(day, 'YYYY-MM-DD')
        FROM generate_series((now() AT TIME ZONE 'UTC')::date - 8, (now() AT TIME ZONE 'UTC')::date + 3, '1 day') AS day
        WHERE to_regclass('public.sample_' || to_char(day, 'YYYYMMDD')) IS NULL
        ORDER BY day
        """
    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}

/// How many time zones the server knows, and people's time zones that it does not know.
struct InspectTimeZones: Statement {
    static let sql = """
        WITH known AS MATERIALIZED (SELECT name FROM pg_timezone_names)
        SELECT (SELECT count(*) FROM known),
            ARRAY(
                SELECT format('%s (%s people, such as %s)', time_zone, count(*), min(coalesce(email, display_name))) FROM account
                WHERE time_zone NOT IN (SELECT name FROM known) GROUP BY time_zone ORDER BY count(*) DESC LIMIT 10)
        """
    static func decode(_ row: inout RowReader) throws -> (known: Int64, missing: [String]) {
        try (row.read(), row.read())
    }
}
