import Postgres
import Store
import WaterQuality

/// Exports what belongs to a person's account, as JSON: settings, endpoints, sessions, tokens and invitations,
/// without secrets. Each list has a bound (`growth_bound`).
struct ExportAccount: Statement {
    static let sql = """
        SELECT json_build_object(
            'kind', a.kind, 'email', a.email, 'name', a.display_name, 'createdAt', a.created_at, 'language', a.locale, 'timeZone', a.time_zone,
            'throttleSeconds', a.throttle_seconds, 'colourScheme', a.colour_scheme,
            'quietHours', (
                SELECT json_build_object(
                    'from', to_char(q.begins_at, 'HH24:MI'), 'until', to_char(q.ends_at, 'HH24:MI'), 'days', q.days,
                    'silenceRings', q.silence_rings)
                FROM quiet_hours q WHERE q.account_id = a.account_id),
            'summary', (
                SELECT json_build_object(
                    'rhythm', c.rhythm, 'weekday', c.weekday, 'at', to_char(c.at_time, 'HH24:MI'), 'weeklyNote', c.proofs)
                FROM summary_choice c WHERE c.account_id = a.account_id),
            'gatherings', coalesce((
                SELECT json_agg(json_build_object(
                    'reason', g.reason, 'beganAt', g.began_at, 'until', g.until_at, 'endedAt', g.ended_at)
                    ORDER BY g.began_at)
                FROM gathering g WHERE g.account_id = a.account_id), '[]'),
            'endpoints', coalesce((
                SELECT json_agg(json_build_object(
                    'channel', e.channel, 'origin', substring(e.target FROM '^https?://[^/?#]+'), 'createdAt', e.created_at, 'pausedAt', e.paused_at,
                    'ringsAlways', e.rings_always, 'heardAt', e.heard_at, 'onlyUrgent', e.only_urgent, 'form', e.form,
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
            'identities', coalesce((
                SELECT json_agg(json_build_object(
                    'issuer', i.issuer, 'subject', i.subject, 'name', i.name, 'createdAt', i.created_at, 'usedAt', i.used_at)
                    ORDER BY i.created_at, i.identity_id)
                FROM account_identity i WHERE i.account_id = a.account_id), '[]'),
            'invitations', coalesce((
                SELECT json_agg(json_build_object(
                    'device', d.hardware_id, 'createdAt', i.created_at, 'expiresAt', i.expires_at, 'usedAt', i.used_at,
                    'readings', i.readings)
                    ORDER BY i.created_at, i.invitation_id)
                FROM device_invitation i JOIN device d ON d.slot = i.slot AND d.device_id = i.device_id
                WHERE i.account_id = a.account_id), '[]'),
            -- of a person
            'projects', coalesce((
                SELECT json_agg(json_build_object('name', p.name, 'role', p.role, 'until', p.ends_at, 'shifts', coalesce((
                    SELECT json_agg(s.name) FROM list_shifts(p.project_id) s WHERE p.member_id = ANY (s.members)), '[]')) ORDER BY p.project_id)
                FROM person_project p WHERE a.kind = 'person'), '[]'),
            -- of a project, in which whoever exports it takes part
            'members', coalesce((
                SELECT json_agg(json_build_object('name', q.name, 'role', q.role, 'since', q.joined_at, 'until', q.ends_at) ORDER BY q.member_id)
                FROM project_person q WHERE q.project_id = a.account_id), '[]'),
            'calendarFeeds', coalesce((
                SELECT json_agg(json_build_object(
                    'name', f.name, 'alarms', f.alarms, 'madeAt', f.made_at, 'fetchedAt', f.fetched_at) ORDER BY f.feed_id)
                FROM calendar_feed f WHERE f.account_id = a.account_id), '[]'),
            'presets', coalesce((
                SELECT json_agg(json_build_object('name', p.name, 'madeAt', p.made_at, 'limits', (
                    SELECT json_agg(json_build_object(
                        'parameter', n.name, 'unit', l.value -> 'unit', 'canonicalUnit', ($3::text[])[n.place],
                        'minimum', (l.value ->> 'minimum')::numeric / ($4::integer[])[n.place],
                        'maximum', (l.value ->> 'maximum')::numeric / ($4::integer[])[n.place],
                        'criticalMinimum', (l.value ->> 'critical_minimum')::numeric / ($4::integer[])[n.place],
                        'criticalMaximum', (l.value ->> 'critical_maximum')::numeric / ($4::integer[])[n.place],
                        \(WatchSetting.members(of: "s.", stepsPerUnit: "($4::integer[])[n.place]::numeric")),
                        'stepsPerUnit', ($4::integer[])[n.place], 'periodsInSteps', l.value -> 'periods') ORDER BY n.place)
                    FROM unnest($2::text[]) WITH ORDINALITY AS n (name, place)
                    JOIN jsonb_each(p.limits) AS l ON l.key = (n.place - 1)::text
                    CROSS JOIN LATERAL jsonb_populate_record(NULL::setting, l.value) AS s)) ORDER BY p.name)
                FROM person_preset p WHERE p.account_id = a.account_id), '[]'),
            'publicPages', coalesce((
                SELECT json_agg(json_build_object(
                    'title', p.title, 'tanks', (
                        SELECT json_agg(coalesce(t.title, p.title) ORDER BY t.place) FROM public_page_tank t WHERE t.page_id = p.page_id),
                    'days', p.days, 'limits', p.limits, 'publishedAt', p.published_at) ORDER BY p.page_id)
                FROM public_page p WHERE p.account_id = a.account_id), '[]'))::text
        FROM account a WHERE a.account_id = $1
        """
    let account: Account.ID
    init(_ account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(Parameter.allCases.map(\.name))
        parameters.append(Parameter.allCases.map(\.canonicalUnit.rawValue))
        parameters.append(Parameter.allCases.map { Int32($0.stepsPerUnit) })
    }
    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}
