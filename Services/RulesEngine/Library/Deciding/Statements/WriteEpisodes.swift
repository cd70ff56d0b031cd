import Instants
import Postgres
import Store
import WaterQuality

/// An episode after a decision.
struct EpisodeRecord: Sendable {
    var subject: Subject
    var reference: Episode.Reference
    var episode: Episode
    /// When the trouble was found to go on.
    var lastAt: Timestamp
    /// The value of the latest reading, in the parameter's canonical unit.
    var value: Float?
    var closedAt: Timestamp?
    var closedBecause: Decision.Reason?
    /// The latest alert about it.
    var alert: Alert.Reference?
    /// The time, by the database's clock, at which its recovery is decided. Set only on an episode closed because it
    /// `recovered`.
    var recoveryDueAt: Timestamp?
    /// When a reading of the watch was doubted last (kind range).
    var doubtedAt: Timestamp?

    /// The worst value, in the parameter's canonical unit.
    var worst: Float? {
        guard let parameter = subject.parameter else { return nil }
        return episode.excursion.map { parameter.value(of: $0.worst) }
    }
}

/// Adds new episodes and updates existing ones.
struct WriteEpisodes: Statement {
    static let sql = """
        INSERT INTO episode AS e (\(Subject.columns), episode_id, \(others))
        -- in the order given: an episode closes before the next one of the same subject opens
        SELECT \(Subject.columns), episode_id, \(others)
        FROM unnest(
            \(Subject.arrays), $6::bigint[], $7::text[], $8::timestamptz[], $9::timestamptz[], $10::timestamptz[],
            $11::text[], $12::real[], $13::bigint[], $14::boolean[], $15::timestamptz[], $16::real[], $17::boolean[],
            $18::timestamptz[], $19::real[], $20::boolean[], $21::timestamptz[], $22::real[]
        ) WITH ORDINALITY AS n (\(Subject.columns), episode_id, \(others), position)
        ORDER BY position
        ON CONFLICT (slot, episode_id) DO UPDATE SET
            -- the beginning changes only where a wrong clock had put it into the future
            opened_at = excluded.opened_at, last_at = excluded.last_at, closed_at = excluded.closed_at,
            closed_because = excluded.closed_because, worst = excluded.worst, alert_id = excluded.alert_id,
            no_recipient = excluded.no_recipient, recovery_due_at = excluded.recovery_due_at,
            closed_value = excluded.closed_value, critical = excluded.critical, doubted_at = excluded.doubted_at,
            flat_at = excluded.flat_at, gathered = excluded.gathered, still_at = excluded.still_at,
            differs_by = excluded.differs_by
        """

    private static let others = """
        side, opened_at, last_at, closed_at, closed_because, worst, alert_id, no_recipient, recovery_due_at, closed_value, \
        critical, doubted_at, flat_at, gathered, still_at, differs_by
        """

    let episodes: [EpisodeRecord]
    let numbers: ReservedNumbers

    /// - Parameter episodes: Each at most once; those of one subject in the order in which they opened.
    init(_ episodes: [EpisodeRecord], _ numbers: ReservedNumbers) {
        self.episodes = episodes
        self.numbers = numbers
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(episodes.map(\.subject))
        parameters.append(episodes.map { numbers[$0.reference] })
        parameters.append(episodes.map(\.episode.side))
        parameters.append(episodes.map(\.episode.openedAt))
        parameters.append(episodes.map(\.lastAt))
        parameters.append(episodes.map(\.closedAt))
        parameters.append(episodes.map(\.closedBecause))
        parameters.append(episodes.map(\.worst))
        parameters.append(episodes.map { $0.alert.map { numbers[$0] } })
        parameters.append(episodes.map(\.episode.noRecipient))
        parameters.append(episodes.map(\.recoveryDueAt))
        parameters.append(episodes.map { $0.episode.excursion == nil ? nil : $0.value })
        parameters.append(episodes.map(\.episode.isCritical))
        parameters.append(episodes.map(\.doubtedAt))
        parameters.append(episodes.map(\.episode.flatAt))
        parameters.append(episodes.map(\.episode.isGathered))
        parameters.append(episodes.map(\.episode.excursion?.stillAt))
        parameters.append(episodes.map(\.episode.differsBy))
    }
}

/// Cancels the recovery notices that wait for watches whose trouble is back.
struct CancelRecoveries: Statement {
    static let sql = """
        UPDATE episode e SET recovery_due_at = NULL
        FROM unnest(\(Subject.arrays)) AS k (\(Subject.columns))
        WHERE e.slot = k.slot AND e.device_id = k.device_id AND e.parameter IS NOT DISTINCT FROM k.parameter
            AND e.account_id = k.account_id AND e.kind = k.kind AND e.recovery_due_at IS NOT NULL
        """
    let subjects: [Subject]
    init(_ subjects: [Subject]) { self.subjects = subjects }
    func bind(_ parameters: inout Parameters) { parameters.append(subjects) }
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
