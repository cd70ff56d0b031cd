import Instants
import Postgres
import Store
import WaterQuality

/// Seats whose broker session is open although no Ingestor holds their lock.
struct FindIdleSeats: Statement {
    static let sql = """
        SELECT s.seat FROM ingest_seat s
        WHERE s.session_open AND NOT EXISTS (
            SELECT FROM pg_locks l
            WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 AND l.classid = 7133702 AND l.objid = s.seat::oid
                AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))
        ORDER BY s.seat
        """
    static func decode(_ row: inout RowReader) throws -> Int16 { try row.read() }
}

/// Occupied seats whose broker has not answered for a minute, or holds messages back.
struct FindSeatsBehind: Statement {
    static let sql = """
        SELECT seat, extract(epoch FROM now() - level_at)::float8 FROM ingest_seat
        WHERE session_open AND last_held_at > now() - interval '20 seconds' AND level_at < now() - interval '1 minute'
        ORDER BY seat
        """
    static func decode(_ row: inout RowReader) throws -> (seat: Int16, seconds: Double) {
        try (row.read(), row.read())
    }
}

/// The backlogs of the pipeline and their ages in seconds.
struct MeasureBacklogs: Statement {
    static let sql = """
        SELECT
            (SELECT count(*) FROM evaluation_batch),
            (SELECT coalesce(extract(epoch FROM now() - min(received_at)), 0)::float8 FROM evaluation_batch),
            (SELECT count(*) FROM alert WHERE state = 'decided'),
            (SELECT coalesce(extract(epoch FROM now() - min(decided_at)), 0)::float8 FROM alert WHERE state = 'decided'),
            (SELECT count(*) FROM delivery WHERE state = 'pending'),
            (SELECT coalesce(extract(epoch FROM now() - min(next_attempt_at)), 0)::float8 FROM delivery
                WHERE state = 'pending')
        """

    struct Backlog: Sendable {
        var count: Int64
        var seconds: Double
    }

    struct Row: Sendable {
        var batches: Backlog
        var alerts: Backlog
        /// The age of the oldest overdue attempt; negative if the next attempt is still to come.
        var deliveries: Backlog
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            batches: Backlog(count: row.read(), seconds: row.read()),
            alerts: Backlog(count: row.read(), seconds: row.read()),
            deliveries: Backlog(count: row.read(), seconds: row.read()))
    }
}

/// The topics whose messages the database refused within a day, with the number of refusals and the last error.
struct FindRefusedMessages: Statement {
    static let sql = """
        SELECT topic, count(*), (array_agg(detail ORDER BY reject_number DESC))[1] FROM reject
        WHERE reason = 'refused' AND received_at > now() - interval '1 day'
        GROUP BY topic
        ORDER BY max(reject_number) DESC
        LIMIT 20
        """
    static func decode(_ row: inout RowReader) throws -> (topic: String, count: Int64, detail: String) {
        try (row.read(), row.read(), row.read())
    }
}

/// Owned devices that have not been heard for a day, or never since they were linked an hour ago or more. Readings with a
/// time in the future do not count: they were stored while our own clock was ahead.
struct FindSilentDevices: Statement {
    static let sql = """
        SELECT d.hardware_id, s.received_at IS NOT NULL
        FROM ownership o JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
        LEFT JOIN LATERAL (
            SELECT received_at FROM sample s
            WHERE s.slot = d.slot AND s.device_id = d.device_id AND s.event_time <= now() + interval '6 minutes'
            ORDER BY event_time DESC LIMIT 1) s ON true
        WHERE o.unlinked_at IS NULL AND o.role = 'owner' AND d.kind = 'device' AND o.linked_at < now() - interval '1 hour'
            -- whether the canary is heard, its own check says
            AND NOT EXISTS (SELECT FROM canary c WHERE c.slot = o.slot AND c.device_id = o.device_id)
            AND (s.received_at IS NULL OR s.received_at < now() - interval '1 day')
        ORDER BY d.hardware_id
        LIMIT 20
        """
    static func decode(_ row: inout RowReader) throws -> (device: String, wasHeard: Bool) {
        try (row.read(), row.read())
    }
}

/// Owned devices that were heard within a day and whose newest reading has an implausible time or one of long ago.
struct FindDistantClocks: Statement {
    static let sql = """
        SELECT d.hardware_id, s.flags & \(Sample.Flags.implausibleTime.rawValue) = 0
        FROM ownership o JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
        CROSS JOIN LATERAL (
            SELECT event_time, received_at, flags FROM sample s
            WHERE s.slot = d.slot AND s.device_id = d.device_id AND s.event_time <= now() + interval '6 minutes'
            ORDER BY event_time DESC LIMIT 1) s
        WHERE o.unlinked_at IS NULL AND o.role = 'owner' AND d.kind = 'device' AND s.received_at >= now() - interval '1 day'
            AND (s.flags & \(Sample.Flags.implausibleTime.rawValue) <> 0
                OR s.event_time < s.received_at - \(EventTime.furthestBack / .seconds(1)) * interval '1 s')
        ORDER BY d.hardware_id
        LIMIT 20
        """
    static func decode(_ row: inout RowReader) throws -> (device: String, isBelieved: Bool) {
        try (row.read(), row.read())
    }
}

/// Owned devices whose clock is wrong or not known to be right.
struct FindWrongClocks: Statement {
    static let sql = """
        SELECT d.hardware_id, c.lag_seconds, c.stepped_at
        FROM device_clock c JOIN device d ON d.slot = c.slot AND d.device_id = c.device_id
        JOIN ownership o ON o.slot = c.slot AND o.device_id = c.device_id AND o.unlinked_at IS NULL
            AND o.role = 'owner'
        ORDER BY c.lag_seconds IS NOT NULL, d.hardware_id
        LIMIT 20
        """
    /// The lag is in seconds; nil if it is not proven.
    static func decode(_ row: inout RowReader) throws -> (device: String, lag: Int32?, steppedAt: Timestamp?) {
        try (row.read(), row.read(), row.read())
    }
}

/// Devices with unreadable messages within a day: how many, and the latest reason. Reports of a broken probe do not
/// count, because they were understood.
struct FindUnreadableDevices: Statement {
    static let sql = """
        SELECT d.hardware_id, sum(r.messages)::bigint, (array_agg(r.reason ORDER BY r.last_at DESC))[1],
            (array_agg(r.detail ORDER BY r.last_at DESC))[1], count(*) OVER ()
        FROM device_reject r JOIN device d ON d.slot = r.slot AND d.device_id = r.device_id
        WHERE r.last_at > now() - interval '1 day' AND r.reason <> 'probeFault'
        GROUP BY d.hardware_id
        ORDER BY sum(r.messages) DESC, d.hardware_id
        LIMIT 20
        """

    struct Row: Sendable {
        var device: String
        var messages: Int64
        var reason: String
        var detail: String
        /// The number of all such devices.
        var devices: Int64
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            device: row.read(), messages: row.read(), reason: row.read(), detail: row.read(), devices: row.read())
    }
}

/// People who own a device and have no usable endpoint, and whether they had one that was retired.
struct FindUnreachablePeople: Statement {
    static let sql = """
        SELECT was_reachable, count(*), array_to_string((array_agg(email ORDER BY email))[1:5], ', '),
            greatest(count(*) - 5, 0)
        FROM account a
        CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM endpoint e WHERE e.account_id = a.account_id)) AS e (was_reachable)
        WHERE a.kind = 'person' AND EXISTS (SELECT FROM ownership o WHERE o.account_id = a.account_id AND o.unlinked_at IS NULL
                AND o.role = 'owner')
            AND NOT EXISTS (SELECT FROM usable_endpoint e WHERE e.account_id = a.account_id)
            AND NOT EXISTS (SELECT FROM canary c WHERE c.account_id = a.account_id)
        GROUP BY was_reachable
        ORDER BY was_reachable
        """

    struct Group: Sendable {
        /// Whether these people had endpoints, which were retired.
        var wasReachable: Bool
        var count: Int64
        /// The addresses of up to five of these people.
        var emails: String
        var others: Int64
    }

    static func decode(_ row: inout RowReader) throws -> Group {
        try Group(wasReachable: row.read(), count: row.read(), emails: row.read(), others: row.read())
    }
}

/// The services' roles that have no connection to this database.
struct FindAbsentServices: Statement {
    static let sql = """
        SELECT service FROM unnest($1::text[]) AS service
        WHERE NOT EXISTS (
            SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename = service)
        """
    let roles: [String]
    func bind(_ parameters: inout Parameters) { parameters.append(roles) }
    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}
