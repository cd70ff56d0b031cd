import Instants
import Postgres
import Store
import WaterQuality

/// The people who have some devices.
struct LoadPeople: Statement {
    static let sql = """
        SELECT o.slot, o.device_id, o.account_id, \(Ownership.toldFrom),
            NULLIF(o.readings_from, '-infinity'), a.throttle_seconds
        FROM unnest($1::smallint[], $2::integer[]) AS wanted (slot, device_id)
        JOIN ownership o ON o.slot = wanted.slot AND o.device_id = wanted.device_id AND o.unlinked_at IS NULL
        JOIN account a ON a.account_id = o.account_id
        ORDER BY o.slot, o.device_id, o.account_id
        """

    struct Row: Sendable {
        var device: DeviceKey
        var account: Account.ID
        /// Since when the device's readings are theirs; `nil` for always.
        var theirsFrom: Timestamp?
        /// Since when they see what the device measured and said; `nil` for always.
        var seesFrom: Timestamp?
        /// The person's own throttle interval, if they set one.
        var throttle: Duration?
    }

    let devices: [DeviceKey]
    init(_ devices: [DeviceKey]) { self.devices = devices }
    func bind(_ parameters: inout Parameters) { parameters.append(devices) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            device: DeviceKey(&row), account: row.read(), theirsFrom: row.read(), seesFrom: row.read(),
            throttle: row.read(Int32?.self).map { .seconds(Int64($0)) })
    }
}
