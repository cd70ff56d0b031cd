import Postgres
import Store
import WaterQuality

/// Begins to call others for what no new alert tells a person of: no endpoint of theirs can be used, or an alert that is on its way takes the
/// text of it.
struct BeginEscalations: Statement {
    static let sql = """
        WITH n AS (
            SELECT * FROM unnest(\(Subject.arrays), $6::text[], $7::boolean[]) AS n (\(Subject.columns), side, critical)
        ) \(begin(from: "n"))
        """

    /// The command that begins what rows ask for whose person has a chain for the device. What is running goes on, unless it has become
    /// critical, or was told although an answer held it back: then it begins anew, and only a newer answer holds it. What is told anew after it
    /// was found to be over begins anew, too.
    /// - Parameters:
    ///   - rows: The name of an expression with the columns of `Subject.columns`, side and critical.
    ///   - told: When the person is told, in SQL.
    static func begin(from rows: String, told: String = "now()") -> String {
        """
        INSERT INTO escalation AS x (\(Subject.columns), side, critical, next_at, began_at)
        SELECT DISTINCT ON (n.slot, n.device_id, n.account_id, n.kind, n.parameter, n.side)
            n.slot, n.device_id, n.parameter, n.account_id, n.kind, n.side, n.critical, now() + interval '1 minute', \(told)
        FROM \(rows) n
        WHERE EXISTS (
            SELECT FROM chain_step s WHERE s.slot = n.slot AND s.device_id = n.device_id AND s.account_id = n.account_id)
        ORDER BY n.slot, n.device_id, n.account_id, n.kind, n.parameter, n.side, n.critical DESC
        ON CONFLICT (slot, device_id, account_id, kind, parameter, side) WHERE ended_at IS NULL DO UPDATE SET
            critical = x.critical OR excluded.critical, began_at = excluded.began_at, called_through = 0, round = 1, answers_from = now(),
            held_until = NULL, over_since = NULL, next_at = excluded.next_at
        WHERE x.held_until > now() OR x.over_since IS NOT NULL OR excluded.critical AND NOT x.critical
        """
    }

    let episodes: [EpisodeRecord]
    init(_ episodes: [EpisodeRecord]) { self.episodes = episodes }

    func bind(_ parameters: inout Parameters) {
        parameters.append(episodes.map(\.subject))
        parameters.append(episodes.map(\.episode.side))
        parameters.append(episodes.map(\.episode.isCritical))
    }
}
