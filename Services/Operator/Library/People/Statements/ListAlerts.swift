import Instants
import Postgres
import Store
import WaterQuality

/// A person's alerts since a time, oldest first, with their results.
struct ListAlerts: Statement {
    static let sql = """
        SELECT a.slot, a.alert_id, a.uid, a.decided_at, \(ShownTimes.event), a.kind, \(Alert.storedPurpose), a.state, v.hardware_id, o.name, a.parameter,
            a.side, a.value, a.limit_value, coalesce(s.unit, ''), a.check_probe, \(ShownTimes.opened),
            (SELECT min(d.ended_at) FROM delivery d
                WHERE d.slot = a.slot AND d.alert_id = a.alert_id AND d.state = 'accepted'), a.critical, a.unstable,
            a.change, a.change_seconds, a.heading, a.expected_at
        FROM alert a
        CROSS JOIN LATERAL (\(ShownTimes.lag(known: "clock_lag(a.slot, a.device_id)"))) c
        LEFT JOIN device v ON v.slot = a.slot AND v.device_id = a.device_id
        LEFT JOIN LATERAL (
            SELECT name FROM ownership o
            WHERE o.slot = a.slot AND o.device_id = a.device_id AND o.account_id = a.account_id
            ORDER BY linked_at DESC LIMIT 1) o ON true
        LEFT JOIN setting s ON s.slot = a.slot AND s.device_id = a.device_id AND s.account_id = a.account_id
            AND s.parameter = a.parameter AND s.valid_until IS NULL
        WHERE a.account_id = $1 AND a.decided_at >= $2 AND a.kind IN (\(Alert.Kind.known))
        ORDER BY a.decided_at, a.alert_id
        LIMIT $3
        """

    struct Row: Sendable {
        var name: AlertName
        var decidedAt: Timestamp
        /// Corrected by the lag of the device's clock, as `openedAt` is.
        var eventTime: Timestamp
        var kind: Alert.Kind
        var purpose: Alert.Purpose
        var state: Alert.State
        var hardwareID: String?
        var deviceName: String?
        var parameter: Parameter?
        var side: Side?
        var value: Float?
        var limit: Float?
        var unit: String
        var checkProbe: Bool
        var openedAt: Timestamp
        var acceptedAt: Timestamp?
        var isCritical: Bool
        var isUnstable: Bool
        /// The change of the value, in an alert about a fast change.
        var change: Float?
        var changeSeconds: Int32?
        /// The limit's side and the expected time, in an alert ahead of a limit.
        var heading: Side?
        var expectedAt: Timestamp?
    }

    let account: Account.ID
    let since: Timestamp
    let limit: Int64

    init(account: Account.ID, since: Timestamp, limit: Int) {
        self.account = account
        self.since = since
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(since)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let (slot, alert) = try (row.read(Slot.self), row.read(Alert.ID.self))
        return try Row(
            name: AlertName(row.read(), slot: slot, alert: alert), decidedAt: row.read(), eventTime: row.read(),
            kind: row.read(), purpose: row.read(), state: row.read(), hardwareID: row.read(), deviceName: row.read(),
            parameter: row.read(), side: row.read(), value: row.read(), limit: row.read(), unit: row.read(),
            checkProbe: row.read(), openedAt: row.read(), acceptedAt: row.read(),
            isCritical: row.read(), isUnstable: row.read(), change: row.read(), changeSeconds: row.read(),
            heading: row.read(), expectedAt: row.read())
    }
}
