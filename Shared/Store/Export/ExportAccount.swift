package import Postgres
package import WaterQuality

/// What a person is given of themselves: account, settings, endpoints, sessions, tokens and invitations, as JSON. No secret is
/// in it.
package struct ExportAccount: Statement {
    package static let sql = """
        SELECT json_build_object(
            'email', a.email, 'createdAt', a.created_at, 'language', a.locale, 'timeZone', a.time_zone,
            'throttleSeconds', a.throttle_seconds, 'colourScheme', a.colour_scheme,
            'endpoints', coalesce((
                SELECT json_agg(json_build_object(
                    'channel', e.channel, 'target', e.target, 'createdAt', e.created_at, 'pausedAt', e.paused_at,
                    'retiredAt', e.retired_at, 'retiredBecause', e.retired_because) ORDER BY e.endpoint_id)
                FROM endpoint e WHERE e.account_id = a.account_id), '[]'),
            'sessions', coalesce((
                SELECT json_agg(json_build_object(
                    'id', s.session_id, 'client', s.client, 'address', s.address, 'createdAt', s.created_at,
                    'usedAt', s.used_at, 'endedAt', s.ended_at, 'endedBecause', s.ended_because)
                    ORDER BY s.created_at, s.session_id)
                FROM session s WHERE s.account_id = a.account_id), '[]'),
            'personalTokens', coalesce((
                SELECT json_agg(json_build_object(
                    'id', t.token_id, 'name', t.name, 'scope', t.scope, 'lastFour', t.last_four, 'createdAt', t.created_at,
                    'expiresAt', t.expires_at, 'usedOn', t.used_on, 'revokedAt', t.revoked_at)
                    ORDER BY t.created_at, t.token_id)
                FROM personal_token t WHERE t.account_id = a.account_id), '[]'),
            'invitations', coalesce((
                SELECT json_agg(json_build_object(
                    'device', d.hardware_id, 'createdAt', i.created_at, 'expiresAt', i.expires_at, 'usedAt', i.used_at)
                    ORDER BY i.created_at, i.invitation_id)
                FROM device_invitation i JOIN device d ON d.slot = i.slot AND d.device_id = i.device_id
                WHERE i.account_id = a.account_id), '[]'))::text
        FROM account a WHERE a.account_id = $1
        """
    let account: Account.ID
    package init(_ account: Account.ID) { self.account = account }
    package func bind(_ parameters: inout Parameters) { parameters.append(account) }
    package static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}

/// The devices that a person has or had, each with all versions of its settings, as JSON: in the order of their numbers.
package struct ExportDevices: Statement {
    package static let sql = """
        SELECT o.ownership_id, o.slot, o.device_id, d.hardware_id,
            json_build_object(
                'device', d.hardware_id, 'name', o.name, 'role', o.role, 'linkedAt', o.linked_at,
                'unlinkedAt', o.unlinked_at, 'latitude', o.latitude, 'longitude', o.longitude,
                'settings', coalesce((
                    SELECT json_agg(json_build_object(
                        'parameter', ($4::text[])[s.parameter + 1], 'version', s.version, 'unit', s.unit,
                        'canonicalUnit', ($5::text[])[s.parameter + 1],
                        'minimum', s.minimum / ($6::integer[])[s.parameter + 1]::numeric,
                        'maximum', s.maximum / ($6::integer[])[s.parameter + 1]::numeric,
                        'criticalMinimum', s.critical_minimum / ($6::integer[])[s.parameter + 1]::numeric,
                        'criticalMaximum', s.critical_maximum / ($6::integer[])[s.parameter + 1]::numeric,
                        'delaySeconds', s.delay_seconds, 'tellsUnstable', s.tells_unstable,
                        'changePerHour', s.change_per_hour / ($6::integer[])[s.parameter + 1]::numeric,
                        'aheadMinutes', s.ahead_minutes,
                        'colour', s.colour, 'position', s.position, 'validFrom', s.valid_from,
                        'validUntil', s.valid_until) ORDER BY s.parameter, s.version)
                    FROM setting s
                    WHERE s.slot = o.slot AND s.device_id = o.device_id AND s.account_id = o.account_id
                        AND s.valid_from >= o.linked_at AND s.valid_from < coalesce(o.unlinked_at, 'infinity')),
                    '[]'),
                'snoozes', coalesce((
                    SELECT json_agg(json_build_object(
                        'kind', n.kind, 'parameter', ($4::text[])[n.parameter + 1], 'side', n.side, 'setAt', n.set_at,
                        'until', n.snoozed_until, 'endedAt', n.ended_at, 'acknowledged', n.episode_id IS NOT NULL)
                        ORDER BY n.snooze_id)
                    FROM snooze n
                    WHERE n.slot = o.slot AND n.device_id = o.device_id AND n.account_id = o.account_id
                        AND n.set_at >= o.linked_at AND n.set_at < coalesce(o.unlinked_at, 'infinity')),
                    '[]'),
                'probes', CASE WHEN o.unlinked_at IS NULL THEN coalesce((
                    SELECT json_agg(json_build_object(
                        'id', p.probe_id, 'chosen', p.is_chosen, 'temperature', p.temperature, 'reportedAt', p.reported_at)
                        ORDER BY p.probe_id)
                    FROM person_probe p WHERE p.slot = o.slot AND p.device_id = o.device_id),
                    '[]') ELSE '[]' END,
                'clock', (
                    SELECT json_build_object('lagSeconds', c.lag_seconds, 'steppedAt', c.stepped_at)
                    FROM person_clock c
                    WHERE c.slot = o.slot AND c.device_id = o.device_id AND o.unlinked_at IS NULL))::text
        FROM ownership o JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
        WHERE o.account_id = $1 AND o.ownership_id > $2
        ORDER BY o.ownership_id
        LIMIT $3
        """

    package struct Row: Sendable {
        package var number: Int64
        package var key: DeviceKey
        package var hardwareID: String
        package var json: String
    }

    let account: Account.ID
    let after: Int64
    let limit: Int64

    /// - Parameter after: The number of the last row of the page before; 0 for the first.
    package init(of account: Account.ID, after: Int64, limit: Int) {
        self.account = account
        self.after = after
        self.limit = Int64(limit)
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(after)
        parameters.append(limit)
        parameters.append(Parameter.allCases.map(\.name))
        parameters.append(Parameter.allCases.map(\.canonicalUnit.symbol))
        parameters.append(Parameter.allCases.map(\.stepsPerUnit))
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(number: row.read(), key: DeviceKey(&row), hardwareID: row.read(), json: row.read())
    }
}
