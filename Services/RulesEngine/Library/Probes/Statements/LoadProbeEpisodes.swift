import Instants
import Postgres
import Store
import WaterQuality

/// The people of some devices, with what is known of the silence, the fault, the pace or the way of each of their devices or parameters.
struct LoadProbeEpisodes: Statement {
    static let sql = """
        SELECT o.slot, o.device_id, wanted.parameter, o.account_id, \(Ownership.toldFrom), a.throttle_seconds,
            e.episode_id, e.opened_at, e.alert_id, coalesce(e.no_recipient, false), t.charged_at, t.alert_id,
            coalesce((SELECT state IN ('decided', 'sending') FROM alert WHERE slot = t.slot AND alert_id = t.alert_id), false),
            EXISTS (SELECT FROM reachable_account r WHERE r.account_id = o.account_id),
            n.set_at, n.snoozed_until, n.episode_id IS NOT NULL, e.flat_at
        FROM unnest($1::smallint[], $2::integer[], $3::smallint[]) AS wanted (slot, device_id, parameter)
        JOIN ownership o ON o.slot = wanted.slot AND o.device_id = wanted.device_id AND o.unlinked_at IS NULL
        JOIN account a ON a.account_id = o.account_id
        LEFT JOIN episode e ON e.slot = o.slot AND e.device_id = o.device_id
            AND e.parameter IS NOT DISTINCT FROM wanted.parameter AND e.account_id = o.account_id AND e.kind = $4
            AND e.closed_at IS NULL
        LEFT JOIN throttle t ON t.slot = o.slot AND t.device_id = o.device_id
            AND t.parameter IS NOT DISTINCT FROM wanted.parameter AND t.account_id = o.account_id AND t.kind = $4
        LEFT JOIN snooze n ON n.slot = o.slot AND n.device_id = o.device_id AND n.account_id = o.account_id
            AND n.parameter IS NOT DISTINCT FROM wanted.parameter AND n.kind = $4 AND n.ended_at IS NULL
            AND (n.episode_id IS NULL OR n.episode_id = e.episode_id)
        ORDER BY o.slot, o.device_id, wanted.parameter, o.account_id
        """

    struct Row: Sendable {
        var key: ProbeKey
        var account: Account.ID
        /// The person's throttle interval, if they set one.
        var throttleSeconds: Int32?
        var state: ProbeState
        /// The open episode, and its latest alert.
        var episode: Episode.ID?
        var alert: Alert.ID?
    }

    let keys: [ProbeKey]
    let kind: Alert.Kind

    /// - Parameter kind: `silence`, `fault`, `rate` or `ahead`.
    init(_ keys: [ProbeKey], kind: Alert.Kind) {
        self.keys = keys
        self.kind = kind
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(keys)
        parameters.append(kind)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let key = try ProbeKey(&row)
        let account = try row.read(Account.ID.self)
        let theirsFrom = try row.read(Timestamp?.self)
        let throttleSeconds = try row.read(Int32?.self)
        let (episode, openedAt) = try (row.read(Episode.ID?.self), row.read(Timestamp?.self))
        let (alert, noRecipient) = try (row.read(Alert.ID?.self), row.read(Bool.self))
        let (chargedAt, charging) = try (row.read(Timestamp?.self), row.read(Alert.ID?.self))
        let isPending = try row.read(Bool.self)
        let hasRecipient = try row.read(Bool.self)
        let throttle = chargedAt.map {
            Throttle(runsFrom: $0, pending: isPending ? charging.map { .stored($0) } : nil)
        }
        let (setAt, until) = try (row.read(Timestamp?.self), row.read(Timestamp?.self))
        let isAcknowledgement = try row.read(Bool.self)
        var snooze: Snooze?
        if let setAt, let until { snooze = Snooze(setAt: setAt, until: until, isAcknowledgement: isAcknowledgement) }
        let flatAt = try row.read(Float?.self)
        let open = openedAt.map {
            ProbeEpisode(openedAt: $0, isAlerted: alert != nil, noRecipient: noRecipient, flatAt: flatAt)
        }
        return Row(
            key: key, account: account, throttleSeconds: throttleSeconds,
            state: ProbeState(
                episode: open, throttle: throttle, hasRecipient: hasRecipient, theirsFrom: theirsFrom, snooze: snooze),
            episode: episode, alert: alert)
    }
}
