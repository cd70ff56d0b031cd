package import Instants
package import Postgres
package import WaterQuality

/// An episode after a decision.
package struct EpisodeRecord: Sendable {
    package var key: WatchKey
    package var episode: Episode.Reference
    package var side: Side
    package var openedAt: Timestamp
    package var lastAt: Timestamp
    package var closedAt: Timestamp?
    package var closedBecause: Decision.Reason?
    package var closedValue: Float?
    package var worst: Float
    package var alert: Alert.Reference?
    package var noRecipient: Bool
    /// Whether an alert was made for a value beyond the critical limit.
    package var isCritical: Bool
    /// The time, by the database's clock, at which its recovery is decided. Set only on an episode closed because it
    /// `recovered`.
    package var recoveryDueAt: Timestamp?
    /// When a reading of the watch was doubted last.
    package var doubtedAt: Timestamp?

    package init(
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
package struct WriteEpisodes: Statement {
    package static let sql = """
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
    package init(_ episodes: [EpisodeRecord], _ numbers: ReservedNumbers) {
        self.episodes = episodes
        self.numbers = numbers
    }

    package func bind(_ parameters: inout Parameters) {
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
package struct CancelRecoveries: Statement {
    package static let sql = """
        UPDATE episode e SET recovery_due_at = NULL
        FROM unnest($1::smallint[], $2::integer[], $3::smallint[], $4::bigint[])
            AS k (slot, device_id, parameter, account_id)
        WHERE e.slot = k.slot AND e.device_id = k.device_id AND e.parameter = k.parameter
            AND e.account_id = k.account_id AND e.kind = 'range' AND e.recovery_due_at IS NOT NULL
        """
    let keys: [WatchKey]
    package init(_ keys: [WatchKey]) { self.keys = keys }
    package func bind(_ parameters: inout Parameters) { parameters.append(keys: keys) }
}

/// Stores the reasons for changes to episodes.
package struct AddTransitions: Statement {
    package static let sql = """
        INSERT INTO transition (slot, episode_id, event_time, reason, notification, value)
        SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::timestamptz[], $4::text[], $5::text[], $6::real[])
        """

    package struct Transition: Sendable {
        package var slot: Slot
        package var episode: Episode.Reference
        package var at: Timestamp
        package var reason: Decision.Reason
        package var notification: Decision.Notification.Outcome
        /// `nil` where nothing was read, of a silence.
        package var value: Float?

        package init(
            slot: Slot, episode: Episode.Reference, at: Timestamp, reason: Decision.Reason,
            notification: Decision.Notification.Outcome, value: Float?
        ) {
            self.slot = slot
            self.episode = episode
            self.at = at
            self.reason = reason
            self.notification = notification
            self.value = value
        }
    }

    let transitions: [Transition]
    let numbers: ReservedNumbers

    package init(_ transitions: [Transition], _ numbers: ReservedNumbers) {
        self.transitions = transitions
        self.numbers = numbers
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(transitions.map(\.slot))
        parameters.append(transitions.map { numbers[$0.episode] })
        parameters.append(transitions.map(\.at))
        parameters.append(transitions.map(\.reason))
        parameters.append(transitions.map(\.notification))
        parameters.append(transitions.map(\.value))
    }
}
