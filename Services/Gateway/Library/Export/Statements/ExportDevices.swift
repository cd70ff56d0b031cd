import Postgres
import Store
import WaterQuality

/// Exports the devices that a person has or had, as JSON, in the order of their numbers. Settings, which are many, come
/// by `ExportSettings`.
struct ExportDevices: Statement {
    static let sql = """
        SELECT o.ownership_id, o.slot, o.device_id, d.hardware_id,
            json_build_object(
                'device', d.hardware_id, 'kind', d.kind, 'name', o.name, 'role', o.role, 'linkedAt', o.linked_at,
                'unlinkedAt', o.unlinked_at, 'latitude', o.latitude, 'longitude', o.longitude, 'accuracy', o.place_accuracy,
                'source', o.place_source, 'showsOnDevice', o.shows_on_device, 'moves', o.moves,
                'places', coalesce((
                    SELECT json_agg(json_build_object(
                        'since', p.since, 'latitude', p.latitude, 'longitude', p.longitude, 'accuracy', p.accuracy, 'source', p.source)
                        ORDER BY p.since)
                    FROM place p WHERE p.slot = o.slot AND p.tank_id = o.tank_id),
                    '[]'),
                'sites', coalesce((
                    SELECT json_agg(json_build_object('site', x.hardware_id, 'since', n.since, 'until', n.until) ORDER BY n.since)
                    FROM standing n JOIN device x ON x.slot = n.site_slot AND x.device_id = n.site_id
                    WHERE n.slot = o.slot AND n.tank_id = o.tank_id),
                    '[]'),
                'second', (
                    SELECT json_build_object('device', x.hardware_id, 'since', c.paired_at)
                    FROM companion c JOIN device x ON x.slot = c.second_slot AND x.device_id = c.second_id
                    WHERE c.slot = o.slot AND c.device_id = o.device_id AND o.unlinked_at IS NULL),
                'station', (
                    SELECT json_build_object(
                        'kind', n.kind, 'station', n.address, 'title', n.title, 'since', n.set_at, 'chosen', n.choice, 'series', n.series)
                    FROM station n
                    WHERE n.slot = o.slot AND n.tank_id = o.tank_id AND n.address IS NOT NULL AND o.unlinked_at IS NULL),
                'snoozes', coalesce((
                    SELECT json_agg(json_build_object(
                        'kind', n.kind, 'parameter', coalesce(($4::text[])[n.parameter + 1], n.parameter::text), 'side', n.side, 'setAt', n.set_at,
                        'until', n.snoozed_until, 'endedAt', n.ended_at, 'acknowledged', n.episode_id IS NOT NULL AND n.answered_by IS NULL,
                        'answered', n.answered_by IS NOT NULL, 'byThemselves', n.answered_by = n.account_id, 'solvedAt', n.solved_at)
                        ORDER BY n.snooze_id)
                    FROM snooze n
                    WHERE n.slot = o.slot AND n.device_id = o.device_id AND n.account_id = o.account_id
                        AND n.set_at >= o.linked_at AND n.set_at < coalesce(o.unlinked_at, 'infinity')),
                    '[]'),
                'work', coalesce((
                    SELECT json_agg(json_build_object(
                        'id', w.work_id, 'kind', w.kind, 'from', w.begins_at, 'until', w.until, 'endedAt', w.ends_at, 'keepsHard', w.keeps_hard,
                        'by', w.name, 'byThemselves', coalesce(w.is_oneself, false)) ORDER BY w.begins_at, w.work_id)
                    FROM person_work w WHERE w.slot = o.slot AND w.tank_id = o.tank_id),
                    '[]'),
                'chain', coalesce((
                    SELECT json_agg(json_build_object(
                        'after', s.after_minutes, 'name', s.name, 'endpoint', s.endpoint_id, 'agreed', s.agreed))
                    FROM show_chain(o.slot, o.device_id, now()) s WHERE o.unlinked_at IS NULL),
                    '[]'),
                'calls', coalesce((
                    SELECT json_agg(json_build_object('name', s.name, 'after', s.after_minutes, 'agreed', s.agreed))
                    FROM list_calls_asked() s WHERE s.hardware_id = d.hardware_id AND o.unlinked_at IS NULL),
                    '[]'),
                'probes', CASE WHEN o.unlinked_at IS NULL THEN coalesce((
                    SELECT json_agg(json_build_object(
                        'id', p.probe_id, 'chosen', p.is_chosen, 'temperature', p.temperature, 'reportedAt', p.reported_at)
                        ORDER BY p.probe_id)
                    FROM person_probe p WHERE p.slot = o.slot AND p.device_id = o.device_id),
                    '[]') ELSE '[]' END,
                'life', CASE WHEN o.unlinked_at IS NULL THEN json_build_object(
                    'latest', (
                        SELECT to_jsonb(l) - '{slot,device_id}'::text[] FROM person_life l
                        WHERE l.slot = o.slot AND l.device_id = o.device_id),
                    'days', coalesce((
                        SELECT jsonb_agg(to_jsonb(l) - '{slot,device_id}'::text[] ORDER BY l.day) FROM person_life_day l
                        WHERE l.slot = o.slot AND l.device_id = o.device_id),
                        '[]'),
                    'changes', coalesce((
                        SELECT jsonb_agg(to_jsonb(l) - '{slot,device_id}'::text[] ORDER BY l.at, l.kind) FROM person_life_change l
                        WHERE l.slot = o.slot AND l.device_id = o.device_id),
                        '[]')) END,
                'clock', (
                    SELECT json_build_object('lagSeconds', c.lag_seconds, 'steppedAt', c.stepped_at)
                    FROM person_clock c
                    WHERE c.slot = o.slot AND c.device_id = o.device_id AND o.unlinked_at IS NULL))::text
        FROM ownership o JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
        WHERE o.account_id = $1 AND o.ownership_id > $2
        ORDER BY o.ownership_id
        LIMIT $3
        """

    struct Row: Sendable {
        var number: Int64
        var key: DeviceKey
        var hardwareID: String
        var json: String
    }

    let account: Account.ID
    let after: Int64
    let limit: Int64

    /// - Parameter after: The last number of the page before; 0 for the first page.
    init(of account: Account.ID, after: Int64, limit: Int) {
        self.account = account
        self.after = after
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(after)
        parameters.append(limit)
        parameters.append(Parameter.allCases.map(\.name))
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(number: row.read(), key: DeviceKey(&row), hardwareID: row.read(), json: row.read())
    }
}

/// Exports the versions of a person's settings while they had a device, as JSON, in the order of parameters and versions.
struct ExportSettings: ExportedPage {
    static let sql = """
        SELECT s.parameter, s.version, json_build_object(
            'parameter', coalesce(($6::text[])[s.parameter + 1], s.parameter::text), 'version', s.version, 'unit', s.unit,
            'canonicalUnit', ($7::text[])[s.parameter + 1],
            'minimum', s.minimum / ($8::integer[])[s.parameter + 1]::numeric,
            'maximum', s.maximum / ($8::integer[])[s.parameter + 1]::numeric,
            'criticalMinimum', s.critical_minimum / ($8::integer[])[s.parameter + 1]::numeric,
            'criticalMaximum', s.critical_maximum / ($8::integer[])[s.parameter + 1]::numeric,
            \(WatchSetting.members(of: "s.", stepsPerUnit: "($8::integer[])[s.parameter + 1]::numeric")),
            'periods', (
                SELECT json_agg(json_build_object(
                    'from', (p ->> 'from')::integer * interval '1 minute', 'until', (p ->> 'until')::integer * interval '1 minute',
                    'firstDay', p -> 'first', 'lastDay', p -> 'last',
                    'minimum', (p ->> 'minimum')::integer / ($8::integer[])[s.parameter + 1]::numeric,
                    'maximum', (p ->> 'maximum')::integer / ($8::integer[])[s.parameter + 1]::numeric,
                    'criticalMinimum', (p ->> 'criticalMinimum')::integer / ($8::integer[])[s.parameter + 1]::numeric,
                    'criticalMaximum', (p ->> 'criticalMaximum')::integer / ($8::integer[])[s.parameter + 1]::numeric) ORDER BY e.place)
                FROM jsonb_array_elements(s.periods -> 'periods') WITH ORDINALITY AS e (p, place)),
            'periodZone', s.periods ->> 'zone', 'colour', s.colour, 'position', s.position, 'validFrom', s.valid_from, 'validUntil', s.valid_until)::text
        FROM ownership o
        JOIN setting s ON s.slot = o.slot AND s.device_id = o.device_id AND s.account_id = o.account_id
            AND s.valid_from >= o.linked_at AND s.valid_from < coalesce(o.unlinked_at, 'infinity')
        WHERE o.account_id = $1 AND o.ownership_id = $2 AND (s.parameter, s.version) > ($3, $4)
        ORDER BY s.parameter, s.version
        LIMIT $5
        """

    /// The last row of a page.
    struct Cursor: Sendable {
        let parameter: Int16
        let version: Int32
    }

    let account: Account.ID
    let ownership: Int64
    let after: Cursor
    let limit: Int64

    /// - Parameters:
    ///   - ownership: The number that `ExportDevices` gives.
    ///   - after: The last row of the page before; `nil` for the first.
    init(of account: Account.ID, _ ownership: Int64, after: Cursor?, limit: Int) {
        self.account = account
        self.ownership = ownership
        self.after = after ?? Cursor(parameter: 0, version: 0)
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(ownership)
        parameters.append(after.parameter)
        parameters.append(after.version)
        parameters.append(limit)
        parameters.append(Parameter.allCases.map(\.name))
        parameters.append(Parameter.allCases.map(\.canonicalUnit.symbol))
        parameters.append(Parameter.allCases.map(\.stepsPerUnit))
    }

    static func decode(_ row: inout RowReader) throws -> ExportedRow<Cursor> {
        try ExportedRow(cursor: Cursor(parameter: row.read(), version: row.read()), json: row.read())
    }
}
