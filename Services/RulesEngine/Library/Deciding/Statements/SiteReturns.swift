import Instants
import Postgres
import Store
import WaterQuality

/// Facts about the devices that were told to have fallen silent in one message with some that are heard again; no row for one that was told
/// alone.
struct ReadSiteReturns: Statement {
    static let sql = """
        SELECT e.slot, e.episode_id, (a.about[1]::jsonb ->> 'site')::bigint, a.about[1]::jsonb ->> 'name', m.told, m.missing, m.names, EXISTS (
            SELECT FROM alert r
            WHERE r.account_id = a.account_id AND r.decided_at > now() - interval '10 minutes'
                AND r.due_at > now() AND r.due_at < now() + interval '5 minutes' AND r.kind = 'silence' AND r.purpose = 'recovery' AND r.state <> 'cancelled'
                AND r.about[1]::jsonb -> 'site' = a.about[1]::jsonb -> 'site')
        FROM unnest($1::smallint[], $2::bigint[]) AS n (slot, episode_id)
        JOIN episode e ON e.slot = n.slot AND e.episode_id = n.episode_id
        JOIN alert a ON a.slot = e.slot AND a.alert_id = e.alert_id AND a.kind = 'silence' AND a.about IS NOT NULL
            AND a.group_id IS NOT NULL
        CROSS JOIN LATERAL (
            SELECT count(*) AS told, count(*) FILTER (WHERE d.is_silent) AS missing,
                coalesce((array_agg(d.name ORDER BY d.name) FILTER (WHERE d.is_silent))[1:\(SilentSite.mostNames)], '{}') AS names
            FROM (
                SELECT DISTINCT ON (o.slot, o.device_id) w.name, EXISTS (
                    SELECT FROM episode x
                    WHERE x.slot = o.slot AND x.device_id = o.device_id AND x.account_id = o.account_id AND x.kind = 'silence'
                        AND x.parameter IS NULL AND x.closed_at IS NULL) AS is_silent
                FROM alert o
                JOIN ownership w ON w.slot = o.slot AND w.device_id = o.device_id AND w.account_id = o.account_id
                    AND w.unlinked_at IS NULL
                WHERE o.account_id = a.account_id AND o.group_id = a.group_id AND o.state <> 'cancelled'
                    AND o.decided_at BETWEEN a.decided_at - interval '10 minutes' AND a.decided_at + interval '10 minutes') d
        ) m
        WHERE m.told > 1
        """

    struct Row: Sendable {
        var episode: EpisodeKey
        var site: SilentSite
        /// Whether a message about others that are heard again is on its way.
        var isTelling: Bool
    }

    let episodes: [EpisodeKey]
    init(of episodes: [EpisodeKey]) { self.episodes = episodes }
    func bind(_ parameters: inout Parameters) { parameters.append(episodes) }

    static func decode(_ row: inout RowReader) throws -> Row {
        let episode = try EpisodeKey(slot: row.read(), episode: row.read())
        let (site, name) = try (row.read(Int64.self), row.read(String?.self))
        let (told, missing) = try (row.read(Int64.self), row.read(Int64.self))
        return try Row(
            episode: episode,
            site: SilentSite(
                site: site, name: name, of: Int(told), missing: row.read([String?].self).compactMap(\.self),
                missingCount: Int(missing)),
            isTelling: row.read())
    }
}
