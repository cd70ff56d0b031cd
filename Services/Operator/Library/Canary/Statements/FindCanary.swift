import Instants
import Postgres
import Store
import WaterQuality

/// The canary of the installation, and how far its last readings and alarms have come.
struct FindCanary: Statement {
    static let sql = """
        SELECT c.account_id, d.hardware_id, c.every_seconds, c.made_at, c.delivered_at, now(),
            EXISTS (SELECT FROM usable_endpoint u WHERE u.account_id = c.account_id),
            EXISTS (
                SELECT FROM ownership o WHERE o.slot = c.slot AND o.device_id = c.device_id AND o.account_id = c.account_id
                    AND o.unlinked_at IS NULL),
            (SELECT s.received_at FROM sample s
                WHERE s.slot = c.slot AND s.device_id = c.device_id AND s.event_time <= now() + interval '6 minutes'
                ORDER BY s.event_time DESC LIMIT 1)
        FROM canary c JOIN device d ON d.slot = c.slot AND d.device_id = c.device_id
        """

    struct Row: Sendable {
        var account: Account.ID
        var hardwareID: String
        var every: Duration
        var madeAt: Timestamp
        /// When an endpoint last took an alarm of it; nil: none has yet.
        var deliveredAt: Timestamp?
        var now: Timestamp
        /// Whether its account has an endpoint in use, and still owns the device.
        var hasEndpoint: Bool
        var isLinked: Bool
        /// When its last reading was received.
        var heardAt: Timestamp?
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            account: row.read(), hardwareID: row.read(), every: .seconds(row.read(Int32.self)), madeAt: row.read(),
            deliveredAt: row.read(), now: row.read(), hasEndpoint: row.read(), isLinked: row.read(),
            heardAt: row.read())
    }
}
