import Instants
import Postgres
import Store
import WaterQuality

/// The open episodes of kind range of some devices.
struct LoadOpenEpisodes: Statement {
    static let sql = """
        SELECT e.slot, e.device_id, e.parameter, e.account_id, e.episode_id, e.side, e.opened_at, e.last_at, e.worst,
            e.alert_id, e.no_recipient, e.critical, e.doubted_at
        FROM unnest($1::smallint[], $2::integer[]) AS wanted (slot, device_id)
        CROSS JOIN LATERAL (
            SELECT * FROM episode
            WHERE slot = wanted.slot AND device_id = wanted.device_id AND closed_at IS NULL AND kind = 'range'
            OFFSET 0 -- looked up for each device, however few rows the planner expects
        ) e
        """

    struct Row: Sendable {
        var key: WatchKey
        var episode: Episode.ID
        var side: Side
        var openedAt: Timestamp
        var lastAt: Timestamp
        /// The worst value, in the parameter's canonical unit.
        var worst: Float
        /// The episode's latest alarm or reminder.
        var alert: Alert.ID?
        var noRecipient: Bool
        /// Whether an alert was made for a value beyond the critical limit.
        var isCritical: Bool
        /// When a reading of the watch was doubted last.
        var doubtedAt: Timestamp?

        init(
            key: WatchKey, episode: Episode.ID, side: Side, openedAt: Timestamp, lastAt: Timestamp, worst: Float,
            alert: Alert.ID?, noRecipient: Bool, isCritical: Bool = false, doubtedAt: Timestamp? = nil
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

    let devices: [DeviceKey]
    init(_ devices: [DeviceKey]) { self.devices = devices }
    func bind(_ parameters: inout Parameters) { parameters.append(devices) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            key: WatchKey(&row), episode: row.read(), side: row.read(), openedAt: row.read(), lastAt: row.read(),
            worst: row.read(), alert: row.read(), noRecipient: row.read(), isCritical: row.read(), doubtedAt: row.read()
        )
    }
}

/// The charged throttles of both sides of the watches of some devices.
struct LoadThrottles: Statement {
    static let sql = """
        SELECT t.slot, t.device_id, t.parameter, t.account_id, CASE t.kind WHEN 'range' THEN a.side ELSE t.kind END,
            t.charged_at, t.alert_id,
            coalesce(a.state IN ('decided', 'sending'), false), coalesce(a.critical, false), coalesce(a.unstable, false)
        FROM unnest($1::smallint[], $2::integer[]) AS wanted (slot, device_id)
        CROSS JOIN LATERAL (
            SELECT * FROM throttle WHERE slot = wanted.slot AND device_id = wanted.device_id
                AND kind IN ('low', 'high', 'range')
            -- Looked up for each device, however few rows the planner expects. While a table is empty, every index that
            -- begins with the slot looks as good as the right one. Only the right one has the order that is asked for
            -- here and above.
            ORDER BY parameter
            OFFSET 0
        ) t
        LEFT JOIN LATERAL (
            SELECT side, state, critical, unstable FROM alert
            WHERE slot = t.slot AND alert_id BETWEEN t.alert_id AND t.alert_id ORDER BY alert_id
            LIMIT 1
        ) a ON true
        -- the side of a charge by an engine of the version before is not known any more once its alert is gone, long after
        WHERE t.kind <> 'range' OR a.side IS NOT NULL
        """

    struct Row: Sendable {
        var key: WatchKey
        var side: Side
        var chargedAt: Timestamp
        var alert: Alert.ID
        /// Whether deliveries of that alert are still pending.
        var isPending: Bool
        /// Whether that alert was of a value beyond the critical limit.
        var isCritical: Bool
        /// Whether it said that the water is unstable.
        var isUnstable: Bool

        init(
            key: WatchKey, side: Side, chargedAt: Timestamp, alert: Alert.ID, isPending: Bool, isCritical: Bool = false,
            isUnstable: Bool = false
        ) {
            self.key = key
            self.side = side
            self.chargedAt = chargedAt
            self.alert = alert
            self.isPending = isPending
            self.isCritical = isCritical
            self.isUnstable = isUnstable
        }
    }

    let devices: [DeviceKey]
    init(_ devices: [DeviceKey]) { self.devices = devices }
    func bind(_ parameters: inout Parameters) { parameters.append(devices) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            key: WatchKey(&row), side: row.read(), chargedAt: row.read(), alert: row.read(), isPending: row.read(),
            isCritical: row.read(), isUnstable: row.read())
    }
}

/// Finds the given people who have a usable endpoint.
struct FindRecipients: Statement {
    static let sql = """
        SELECT account_id FROM unnest($1::bigint[]) AS wanted (account_id)
        WHERE EXISTS (SELECT FROM reachable_account r WHERE r.account_id = wanted.account_id)
        """
    let accounts: [Account.ID]
    init(_ accounts: [Account.ID]) { self.accounts = accounts }
    func bind(_ parameters: inout Parameters) { parameters.append(accounts) }
    static func decode(_ row: inout RowReader) throws -> Account.ID { try row.read() }
}
