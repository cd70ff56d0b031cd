import Instants
import Postgres
import Store
import WaterQuality

/// The snoozes of some kinds of some devices, also those whose episode is over.
struct LoadSnoozes: Statement {
    static let sql = """
        SELECT n.slot, n.device_id, n.parameter, n.account_id, n.kind, n.side, n.set_at, n.snoozed_until, n.episode_id,
            -- the account of whoever was on it may be gone
            n.answered_by IS NOT NULL OR n.worst IS NOT NULL, n.worst
        FROM unnest($1::smallint[], $2::integer[]) AS wanted (slot, device_id)
        CROSS JOIN LATERAL (
            SELECT * FROM snooze
            WHERE slot = wanted.slot AND device_id = wanted.device_id AND ended_at IS NULL AND kind = ANY ($3::text[])
                AND snoozed_until > now() AND \(Subject.isKnown)
            ORDER BY account_id -- in the order of the right index, as in LoadThrottles
            OFFSET 0
        ) n
        """

    struct Row: Sendable {
        var subject: Subject
        /// `nil` for a kind without sides.
        var side: Side?
        var snooze: Snooze
        /// The episode that the person knows of; `nil` for a snooze.
        var episode: Episode.ID?
    }

    let devices: [DeviceKey]
    let kinds: [Alert.Kind]

    init(_ devices: [DeviceKey], kinds: [Alert.Kind]) {
        self.devices = devices
        self.kinds = kinds
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(devices)
        parameters.append(kinds)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let subject = try Subject(&row)
        let side = try row.read(Side?.self)
        var snooze = try Snooze(setAt: row.read(), until: row.read())
        let episode = try row.read(Episode.ID?.self)
        snooze.isAcknowledgement = episode != nil
        snooze.isAnswer = try row.read()
        let worst = try row.read(Float?.self)
        snooze.worst = worst.flatMap { value in subject.parameter?.steps(of: value) }
        return Row(subject: subject, side: side, snooze: snooze, episode: episode)
    }
}
