import Instants
import Postgres
import Store
import WaterQuality

/// Lists a person's endpoints with their states, judged by the person's last 50 alerts.
struct ListEndpoints: Statement {
    static let sql = """
        WITH recent AS (
            SELECT slot, alert_id FROM alert WHERE account_id = $1 ORDER BY decided_at DESC LIMIT 50
        ), arrived AS (
            SELECT DISTINCT ON (d.endpoint_id) d.endpoint_id, d.arrived_at, d.arrived_at - a.decided_at AS after
            FROM recent r
            JOIN delivery d ON d.slot = r.slot AND d.alert_id = r.alert_id AND d.arrived_at IS NOT NULL
            JOIN alert a ON a.slot = r.slot AND a.alert_id = r.alert_id
            ORDER BY d.endpoint_id, d.arrived_at DESC
        ), attempt AS (
            SELECT t.endpoint_id, t.started_at, t.outcome, t.status
            FROM recent r
            JOIN delivery d ON d.slot = r.slot AND d.alert_id = r.alert_id AND d.state <> 'cancelled'
            JOIN delivery_attempt t
                ON t.slot = d.slot AND t.alert_id = d.alert_id AND t.endpoint_id = d.endpoint_id
        ), accepted AS (
            SELECT endpoint_id, max(started_at) AS last FROM attempt WHERE outcome = 'accepted' GROUP BY endpoint_id
        )
        SELECT e.endpoint_id, e.channel, e.target, e.created_at, e.paused_at, gone.retired_at,
            CASE WHEN e.former_until > now() THEN e.former_until END, a.last, f.since, f.outcome, f.status,
            NOT (e.rings_always OR e.channel = 'webhook'), v.arrived_at, (extract(epoch FROM v.after) * 1000)::double precision,
            e.only_urgent, e.form, w.reaches, w.unconfirmed_since
        FROM endpoint e
        LEFT JOIN person_ways() w ON w.endpoint_id = e.endpoint_id
        LEFT JOIN arrived v ON v.endpoint_id = e.endpoint_id AND v.arrived_at >= e.created_at
        LEFT JOIN LATERAL (
            SELECT retired_at FROM endpoint_retirement r
            WHERE r.endpoint_id = e.endpoint_id AND r.registration = e.registration
            ORDER BY retired_at LIMIT 1) gone ON true
        LEFT JOIN accepted a ON a.endpoint_id = e.endpoint_id AND a.last >= e.created_at
        -- attempts since then that were not accepted: when the first began, and how the last that was sent ended
        LEFT JOIN LATERAL (
            SELECT min(t.started_at) AS since,
                (array_agg(t.outcome ORDER BY t.outcome = 'refused', t.started_at DESC))[1] AS outcome,
                (array_agg(t.status ORDER BY t.outcome = 'refused', t.started_at DESC))[1] AS status
            FROM attempt t
            WHERE t.endpoint_id = e.endpoint_id AND t.outcome <> 'accepted' AND t.started_at >= e.created_at
                AND t.started_at > coalesce(a.last, '-infinity')) f ON true
        WHERE e.account_id = $1 AND e.retired_at IS NULL AND ($2::bigint IS NULL OR e.endpoint_id = $2)
        ORDER BY e.endpoint_id
        """

    struct Row: Sendable {
        var endpoint: Endpoint.ID
        var channel: Word<Endpoint.Channel>
        /// The address, of which the host can be shown. For endpoints of the version before it is a capability, which
        /// belongs into no log and no answer.
        var target: String
        var registeredAt: Timestamp
        /// When the person signed out where the endpoint was registered.
        var pausedAt: Timestamp?
        /// When the receiver said that it is gone.
        var goneAt: Timestamp?
        /// Until when messages are signed with the former secret too.
        var formerUntil: Timestamp?
        var acceptedAt: Timestamp?
        /// The first attempt that was not accepted since the last accepted one.
        var failingSince: Timestamp?
        /// How the latest such attempt ended.
        var outcome: Word<Delivery.Outcome>?
        var status: Int16?
        /// Whether quiet hours hold for it.
        var heedsQuietHours: Bool
        /// When the last message arrived, as the browser itself said, and how long after its decision.
        var arrivedAt: Timestamp?
        var arrivedAfterMilliseconds: Double?
        /// Whether it is told of nothing but what is critical, and calls.
        var onlyUrgent: Bool
        /// Of a webhook, the form of what it is sent.
        var form: Word<Endpoint.Form>
        /// For what it reaches its person, as far as deliveries tell; nil where it is not in use.
        var reach: Reach?
        /// Since when it confirms nothing any more, unlike before, though messages are accepted for it.
        var unconfirmedSince: Timestamp?
    }

    /// For what a way reaches its person; `ways_of` says which.
    enum Reach: String, CaseIterable, Sendable {
        case all
        /// Critical values, and calls: anything else goes to another way.
        case urgent
        case nothing
    }

    let account: Account.ID
    let endpoint: Endpoint.ID?

    /// - Parameter endpoint: The only one to list; `nil` for all.
    init(of account: Account.ID, only endpoint: Endpoint.ID? = nil) {
        self.account = account
        self.endpoint = endpoint
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(endpoint)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            endpoint: row.read(), channel: row.read(), target: row.read(), registeredAt: row.read(),
            pausedAt: row.read(), goneAt: row.read(), formerUntil: row.read(), acceptedAt: row.read(),
            failingSince: row.read(), outcome: row.read(), status: row.read(), heedsQuietHours: row.read(),
            arrivedAt: row.read(), arrivedAfterMilliseconds: row.read(), onlyUrgent: row.read(), form: row.read(),
            reach: row.read(String?.self).flatMap(Reach.init(rawValue:)), unconfirmedSince: row.read())
    }
}

/// Locks a person's endpoint, even a paused one, to change its secret; no row when it is not theirs.
struct LockPersonEndpoint: Statement {
    static let sql = """
        SELECT \(SealedEndpoint.columns) FROM endpoint
        WHERE endpoint_id = $1 AND account_id = $2 AND retired_at IS NULL
        FOR NO KEY UPDATE
        """
    let endpoint: Endpoint.ID
    let account: Account.ID

    init(_ endpoint: Endpoint.ID, of account: Account.ID) {
        self.endpoint = endpoint
        self.account = account
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(endpoint)
        parameters.append(account)
    }

    static func decode(_ row: inout RowReader) throws -> SealedEndpoint { try SealedEndpoint(&row) }
}

/// Changes what a person's endpoint is told, and when; no row when it is not theirs.
struct ChangeEndpoint: Statement {
    static let sql = """
        UPDATE endpoint SET rings_always = coalesce($3, rings_always), only_urgent = coalesce($4, only_urgent)
        WHERE endpoint_id = $1 AND account_id = $2 AND retired_at IS NULL
        RETURNING endpoint_id
        """
    let endpoint: Endpoint.ID
    let account: Account.ID
    let ringsAlways: Bool?
    let onlyUrgent: Bool?

    /// - Parameters:
    ///   - ringsAlways: Whether it is told in quiet hours too; nil: as before.
    ///   - onlyUrgent: Whether it is told of nothing but what is critical, and calls; nil: as before.
    init(_ endpoint: Endpoint.ID, of account: Account.ID, ringsAlways: Bool?, onlyUrgent: Bool?) {
        self.endpoint = endpoint
        self.account = account
        self.ringsAlways = ringsAlways
        self.onlyUrgent = onlyUrgent
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(endpoint)
        parameters.append(account)
        parameters.append(ringsAlways)
        parameters.append(onlyUrgent)
    }

    static func decode(_ row: inout RowReader) throws -> Endpoint.ID { try row.read() }
}

/// Takes a person's endpoint out of use at their wish; no row when it is not theirs. Pending deliveries come due, so
/// that a notifier ends them unsent; a request that has begun may still arrive.
struct RemovePersonEndpoint: Statement {
    static let sql = """
        WITH removed AS (
            UPDATE endpoint SET retired_at = now(), retired_because = 'the person removed it'
            WHERE endpoint_id = $1 AND account_id = $2 AND retired_at IS NULL
            RETURNING endpoint_id
        ), due AS (
            UPDATE delivery d SET next_attempt_at = now() FROM removed r
            WHERE d.endpoint_id = r.endpoint_id AND d.account_id = $2 AND d.state = 'pending' AND d.holder IS NULL
        )
        SELECT endpoint_id, pg_notify('alert', '') FROM removed
        """
    let endpoint: Endpoint.ID
    let account: Account.ID

    init(_ endpoint: Endpoint.ID, of account: Account.ID) {
        self.endpoint = endpoint
        self.account = account
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(endpoint)
        parameters.append(account)
    }

    static func decode(_ row: inout RowReader) throws -> Endpoint.ID { try row.read() }
}

/// The number of a person's endpoints in use besides one address, and the database's time.
struct CheckEndpoints: Statement {
    static let sql = """
        SELECT count(*), now() FROM usable_endpoint
        WHERE account_id = $1 AND NOT (channel = $2 AND endpoint_name(target) = endpoint_name($3))
        """

    struct Row: Sendable {
        var others: Int64
        var now: Timestamp
    }

    let account: Account.ID
    let channel: Endpoint.Channel
    let target: String

    init(of account: Account.ID, beside target: String, on channel: Endpoint.Channel) {
        self.account = account
        self.channel = channel
        self.target = target
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(channel)
        parameters.append(target)
    }

    static func decode(_ row: inout RowReader) throws -> Row { try Row(others: row.read(), now: row.read()) }
}

/// Finds the application's installation of a session; signing out there pauses endpoints.
struct FindClientOfSession: Statement {
    static let sql = "SELECT client_id FROM session WHERE session_id = $1 AND account_id = $2"
    let session: SessionID
    let account: Account.ID

    init(_ session: SessionID, of account: Account.ID) {
        self.session = session
        self.account = account
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(session)
        parameters.append(account)
    }

    static func decode(_ row: inout RowReader) throws -> ClientID? { try row.read() }
}

/// Keeps a session from ending until the transaction does, and returns its installation, if it named one. No row: the
/// session has ended.
///
/// Lock the account before, as signing in does.
struct HoldSession: Statement {
    static let sql = "SELECT * FROM hold_session($2, $1)"
    let session: SessionID
    let account: Account.ID

    init(_ session: SessionID, of account: Account.ID) {
        self.session = session
        self.account = account
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(session)
        parameters.append(account)
    }

    static func decode(_ row: inout RowReader) throws -> ClientID? { try row.read() }
}

/// Takes the endpoint of a mail's link out of use; false for a text that is no such link's.
struct StopEndpoint: Statement {
    static let sql = "SELECT stop_endpoint($1)"
    let token: String

    func bind(_ parameters: inout Parameters) { parameters.append(token) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Notes that a message has arrived, by its token. False where there is no such message.
struct NoteArrival: Statement {
    static let sql = "SELECT note_arrival($1)"
    let token: String
    func bind(_ parameters: inout Parameters) { parameters.append(token) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
