import Instants
import Postgres
import Store
import WaterQuality

/// A silence, a fault, a fast change or a way to a limit of one person after a decision.
struct ProbeEpisodeRecord: Sendable {
    var key: ProbeKey
    var account: Account.ID
    var kind: Alert.Kind
    var reference: Episode.Reference
    var episode: ProbeEpisode
    /// When it was found to go on, or to be over.
    var lastAt: Timestamp
    /// The latest alert about it.
    var alert: Alert.Reference?
    /// When it was over, and when the recovery notice is decided.
    var closedAt: Timestamp?
    var recoveryDueAt: Timestamp?

    init(
        key: ProbeKey, account: Account.ID, kind: Alert.Kind, reference: Episode.Reference, episode: ProbeEpisode,
        lastAt: Timestamp, alert: Alert.Reference? = nil
    ) {
        self.key = key
        self.account = account
        self.kind = kind
        self.reference = reference
        self.episode = episode
        self.lastAt = lastAt
        self.alert = alert
    }
}

/// Adds episodes of the kinds beside range, and updates those that exist. One that opens cancels the recovery notice of the one before it.
struct WriteProbeEpisodes: Statement {
    static let sql = """
        WITH n AS (
            SELECT * FROM unnest(\(ProbeColumns.arrays), $6::bigint[], $7::timestamptz[], $8::timestamptz[],
                $9::timestamptz[], $10::bigint[], $11::boolean[], $12::timestamptz[], $13::real[])
                WITH ORDINALITY
                AS n (\(ProbeColumns.names), episode_id, opened_at, last_at, closed_at, alert_id, no_recipient,
                    recovery_due_at, flat_at, position)
        ), cancelled AS (
            UPDATE episode e SET recovery_due_at = NULL
            FROM n WHERE e.slot = n.slot AND e.device_id = n.device_id AND e.account_id = n.account_id
                AND e.parameter IS NOT DISTINCT FROM n.parameter AND e.kind = n.kind AND e.episode_id <> n.episode_id
                AND e.recovery_due_at IS NOT NULL AND n.closed_at IS NULL
        )
        INSERT INTO episode AS e (
            \(ProbeColumns.names), episode_id, opened_at, last_at, closed_at, closed_because, alert_id, no_recipient,
            recovery_due_at, flat_at)
        -- in the order given: an episode closes before the next one of the same key opens
        SELECT \(ProbeColumns.names), episode_id, opened_at, greatest(last_at, opened_at), closed_at,
            CASE WHEN closed_at IS NOT NULL THEN 'recovered' END, alert_id, no_recipient, recovery_due_at, flat_at
        FROM n ORDER BY position
        ON CONFLICT (slot, episode_id) DO UPDATE SET
            -- the beginning changes only where a wrong clock had put it into the future
            opened_at = excluded.opened_at, last_at = excluded.last_at, closed_at = excluded.closed_at,
            closed_because = excluded.closed_because, alert_id = excluded.alert_id,
            no_recipient = excluded.no_recipient, recovery_due_at = excluded.recovery_due_at,
            flat_at = excluded.flat_at
        """

    let records: [ProbeEpisodeRecord]
    let numbers: ReservedNumbers

    /// - Parameter records: Each episode at most once; those of one key in the order in which they opened.
    init(_ records: [ProbeEpisodeRecord], _ numbers: ReservedNumbers) {
        self.records = records
        self.numbers = numbers
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(probes: records, \.key, \.account, \.kind)
        parameters.append(records.map { numbers[$0.reference] })
        parameters.append(records.map(\.episode.openedAt))
        parameters.append(records.map(\.lastAt))
        parameters.append(records.map(\.closedAt))
        parameters.append(records.map { $0.alert.map { numbers[$0] } })
        parameters.append(records.map(\.episode.noRecipient))
        parameters.append(records.map(\.recoveryDueAt))
        parameters.append(records.map(\.episode.flatAt))
    }
}
