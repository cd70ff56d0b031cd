import Instants
import Postgres
import Store
import WaterQuality

/// The snoozes of kind range of some devices, also those whose episode is over.
struct LoadSnoozes: Statement {
    static let sql = """
        SELECT n.slot, n.device_id, n.parameter, n.account_id, n.side, n.set_at, n.snoozed_until, n.episode_id
        FROM unnest($1::smallint[], $2::integer[]) AS wanted (slot, device_id)
        CROSS JOIN LATERAL (
            SELECT * FROM snooze
            WHERE slot = wanted.slot AND device_id = wanted.device_id AND ended_at IS NULL AND kind = 'range'
                AND snoozed_until > now()
            ORDER BY account_id -- in the order of the right index, as in LoadThrottles
            OFFSET 0
        ) n
        """

    struct Row: Sendable {
        var key: WatchKey
        var side: Side
        var snooze: Snooze
        /// The episode that the person knows of; `nil` for a snooze.
        var episode: Episode.ID?
    }

    let devices: [DeviceKey]
    init(_ devices: [DeviceKey]) { self.devices = devices }
    func bind(_ parameters: inout Parameters) { parameters.append(devices) }

    static func decode(_ row: inout RowReader) throws -> Row {
        let key = try WatchKey(&row)
        let side = try row.read(Side.self)
        var snooze = try Snooze(setAt: row.read(), until: row.read())
        let episode = try row.read(Episode.ID?.self)
        snooze.isAcknowledgement = episode != nil
        return Row(key: key, side: side, snooze: snooze, episode: episode)
    }
}
