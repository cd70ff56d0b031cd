import Instants
import Postgres
import Store
import WaterQuality

/// Exports a page of a person's episodes with their transitions, as JSON: device by device, in the order of their
/// beginning.
struct ExportEpisodes: ExportedPage {
    static let sql = """
        SELECT e.opened_at, e.episode_id,
            json_build_object(
                'device', d.hardware_id, 'parameter', coalesce(($6::text[])[e.parameter + 1], e.parameter::text), 'kind', e.kind, 'side', e.side,
                'openedAt', e.opened_at, 'lastAt', e.last_at, 'closedAt', e.closed_at,
                'closedBecause', e.closed_because, 'worst', e.worst, 'closedValue', CASE WHEN e.closed_at IS NOT NULL THEN e.closed_value END, 'flatAt', e.flat_at, 'differsBy', e.differs_by, 'stillAt', e.still_at,
                'transitions', coalesce((
                    SELECT json_agg(json_build_object(
                        'reason', t.reason, 'notification', t.notification, 'eventTime', t.event_time,
                        'decidedAt', t.decided_at, 'value', t.value) ORDER BY t.transition_id)
                    FROM transition t WHERE t.slot = e.slot AND t.episode_id = e.episode_id), '[]'))::text
        FROM episode e JOIN device d ON d.slot = e.slot AND d.device_id = e.device_id
        WHERE e.slot = $1 AND e.device_id = $2 AND e.account_id = $3
            AND (e.opened_at, e.episode_id) > (coalesce($4::timestamptz, '-infinity'), coalesce($5, 0))
        ORDER BY e.opened_at, e.episode_id
        LIMIT $7
        """

    struct Cursor: Sendable {
        var openedAt: Timestamp
        var episode: Episode.ID
    }

    let device: DeviceKey
    let account: Account.ID
    let after: Cursor?
    let limit: Int64

    init(of device: DeviceKey, _ account: Account.ID, after: Cursor?, limit: Int) {
        self.device = device
        self.account = account
        self.after = after
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(account)
        parameters.append(after?.openedAt)
        parameters.append(after?.episode)
        parameters.append(Parameter.allCases.map(\.name))
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> ExportedRow<Cursor> {
        try ExportedRow(cursor: Cursor(openedAt: row.read(), episode: row.read()), json: row.read())
    }
}

/// Exports a page of a person's alerts with their deliveries and attempts, as JSON, in the order of their decision.
struct ExportAlerts: ExportedPage {
    static let sql = """
        SELECT a.decided_at, a.slot, a.alert_id,
            json_build_object(
                'id', coalesce(a.uid::text, a.slot || '_' || a.alert_id), 'device', d.hardware_id,
                'parameter', coalesce(($5::text[])[a.parameter + 1], a.parameter::text), 'kind', a.kind, 'purpose', \(StoredAlert.purpose), 'side', a.side,
                'value', a.value, 'worst', a.worst, 'limit', a.limit_value, 'limitTime', a.limit_time, 'checkProbe', a.check_probe, 'hint', a.hint, 'critical', a.critical,
                'unstable', a.unstable, 'afterWork', a.after_work, 'change', a.change, 'changeSeconds', a.change_seconds,
                'heading', a.heading, 'expectedAt', a.expected_at,
                'caller', a.caller_name, 'taker', a.taker_name, 'unansweredSeconds', a.unanswered_seconds, 'toEndpoint', a.to_endpoint,
                'openedAt', a.opened_at, 'eventTime', a.event_time, 'decidedAt', a.decided_at, 'state', a.state,
                'deliveries', coalesce((
                    SELECT json_agg(json_build_object(
                        'endpoint', y.endpoint_id, 'state', y.state, 'endedAt', y.ended_at,
                        'attempts', coalesce((
                            SELECT json_agg(json_build_object(
                                'startedAt', t.started_at, 'durationMicroseconds', t.duration_us, 'outcome', t.outcome,
                                'status', t.status, 'detail', t.detail) ORDER BY t.started_at)
                            FROM delivery_attempt t
                            WHERE t.slot = y.slot AND t.alert_id = y.alert_id AND t.endpoint_id = y.endpoint_id), '[]'))
                        ORDER BY y.endpoint_id)
                    FROM delivery y WHERE y.slot = a.slot AND y.alert_id = a.alert_id), '[]'))::text
        FROM alert a LEFT JOIN device d ON d.slot = a.slot AND d.device_id = a.device_id
        WHERE a.account_id = $1 AND a.decided_at >= coalesce($2::timestamptz, '-infinity')
            AND (a.decided_at, a.slot, a.alert_id) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::smallint, 0), coalesce($4, 0))
        ORDER BY a.decided_at, a.slot, a.alert_id
        LIMIT $6
        """

    struct Cursor: Sendable {
        var decidedAt: Timestamp
        var alert: AlertKey
    }

    let account: Account.ID
    let after: Cursor?
    let limit: Int64

    init(of account: Account.ID, after: Cursor?, limit: Int) {
        self.account = account
        self.after = after
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(after?.decidedAt)
        parameters.append(after?.alert.slot)
        parameters.append(after?.alert.alert)
        parameters.append(Parameter.allCases.map(\.name))
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> ExportedRow<Cursor> {
        try ExportedRow(cursor: Cursor(decidedAt: row.read(), alert: AlertKey(&row)), json: row.read())
    }
}
