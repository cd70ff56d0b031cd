import Instants
import Postgres
import Store
import WaterQuality

/// An episode after a decision.
struct EpisodeRecord: Sendable {
    var key: WatchKey
    var episode: Episode.Reference
    var side: Side
    var openedAt: Timestamp
    var lastAt: Timestamp
    var closedAt: Timestamp?
    var closedBecause: Decision.Reason?
    var closedValue: Float?
    var worst: Float
    var alert: Alert.Reference?
    var noRecipient: Bool
    /// Whether an alert was made for a value beyond the critical limit.
    var isCritical: Bool
    /// The time, by the database's clock, at which its recovery is decided. Set only on an episode closed because it
    /// `recovered`.
    var recoveryDueAt: Timestamp?
    /// When a reading of the watch was doubted last.
    var doubtedAt: Timestamp?

    init(
        key: WatchKey, episode: Episode.Reference, side: Side, openedAt: Timestamp, lastAt: Timestamp, worst: Float,
        alert: Alert.Reference? = nil, noRecipient: Bool = false, isCritical: Bool = false,
        doubtedAt: Timestamp? = nil
    ) {
        self.key = key
        self.episode = episode
        self.side = side
        self.openedAt = openedAt
        self.lastAt = lastAt
        self.worst = worst
        self.alert = alert
        self.noRecipient = noRecipient
        self.isCritical = isCritical
        self.doubtedAt = doubtedAt
    }
}

/// Adds new episodes and updates existing ones.
struct WriteEpisodes: Statement {
    static let sql = """
        INSERT INTO episode AS e (
            slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, closed_at,
            closed_because, worst, alert_id, no_recipient, recovery_due_at, closed_value, critical, doubted_at
        )
        -- in the order given: an episode closes before the next one of the same key opens
        SELECT slot, device_id, parameter, account_id, episode_id, 'range', side, opened_at, last_at, closed_at,
            closed_because, worst, alert_id, no_recipient, recovery_due_at, closed_value, critical, doubted_at
        FROM unnest(
            $1::smallint[], $2::integer[], $3::smallint[], $4::bigint[], $5::bigint[], $6::text[],
            $7::timestamptz[], $8::timestamptz[], $9::timestamptz[], $10::text[], $11::real[], $12::bigint[],
            $13::boolean[], $14::timestamptz[], $15::real[], $16::boolean[], $17::timestamptz[]
        ) WITH ORDINALITY AS n (
            slot, device_id, parameter, account_id, episode_id, side, opened_at, last_at, closed_at,
            closed_because, worst, alert_id, no_recipient, recovery_due_at, closed_value, critical, doubted_at, position)
        ORDER BY position
        ON CONFLICT (slot, episode_id) DO UPDATE SET
            -- the beginning changes only where a wrong clock had put it into the future
            opened_at = excluded.opened_at, last_at = excluded.last_at, closed_at = excluded.closed_at, closed_because = excluded.closed_because,
            worst = excluded.worst, alert_id = excluded.alert_id, no_recipient = excluded.no_recipient,
            recovery_due_at = excluded.recovery_due_at, closed_value = excluded.closed_value, critical = excluded.critical,
            doubted_at = excluded.doubted_at
        """

    let episodes: [EpisodeRecord]
    let numbers: ReservedNumbers

    /// - Parameter episodes: Each at most once; those of one key in the order in which they opened.
    init(_ episodes: [EpisodeRecord], _ numbers: ReservedNumbers) {
        self.episodes = episodes
        self.numbers = numbers
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(keys: episodes.map(\.key))
        parameters.append(episodes.map { numbers[$0.episode] })
        parameters.append(episodes.map(\.side))
        parameters.append(episodes.map(\.openedAt))
        parameters.append(episodes.map(\.lastAt))
        parameters.append(episodes.map(\.closedAt))
        parameters.append(episodes.map(\.closedBecause))
        parameters.append(episodes.map(\.worst))
        parameters.append(episodes.map { $0.alert.map { numbers[$0] } })
        parameters.append(episodes.map(\.noRecipient))
        parameters.append(episodes.map(\.recoveryDueAt))
        parameters.append(episodes.map(\.closedValue))
        parameters.append(episodes.map(\.isCritical))
        parameters.append(episodes.map(\.doubtedAt))
    }
}

/// Cancels the recovery notices that wait for watches that are out of range again.
struct CancelRecoveries: Statement {
    static let sql = """
        UPDATE episode e SET recovery_due_at = NULL
        FROM unnest($1::smallint[], $2::integer[], $3::smallint[], $4::bigint[])
            AS k (slot, device_id, parameter, account_id)
        WHERE e.slot = k.slot AND e.device_id = k.device_id AND e.parameter = k.parameter
            AND e.account_id = k.account_id AND e.kind = 'range' AND e.recovery_due_at IS NOT NULL
        """
    let keys: [WatchKey]
    init(_ keys: [WatchKey]) { self.keys = keys }
    func bind(_ parameters: inout Parameters) { parameters.append(keys: keys) }
}

/// Stores the reasons for changes to episodes.
struct AddTransitions: Statement {
    static let sql = """
        INSERT INTO transition (slot, episode_id, event_time, reason, notification, value)
        SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::timestamptz[], $4::text[], $5::text[], $6::real[])
        """

    struct Transition: Sendable {
        var slot: Slot
        var episode: Episode.Reference
        var at: Timestamp
        var reason: Decision.Reason
        var notification: Decision.Notification.Outcome
        /// `nil` where nothing was read, of a silence.
        var value: Float?
    }

    let transitions: [Transition]
    let numbers: ReservedNumbers

    init(_ transitions: [Transition], _ numbers: ReservedNumbers) {
        self.transitions = transitions
        self.numbers = numbers
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(transitions.map(\.slot))
        parameters.append(transitions.map { numbers[$0.episode] })
        parameters.append(transitions.map(\.at))
        parameters.append(transitions.map(\.reason))
        parameters.append(transitions.map(\.notification))
        parameters.append(transitions.map(\.value))
    }
}
