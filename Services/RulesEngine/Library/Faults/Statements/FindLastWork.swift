import Instants
import Postgres
import Store
import WaterQuality

/// The ends of the last work that has begun on some devices: what has stayed the same before and in it says nothing of a probe.
struct FindLastWork: Statement {
    static let sql = """
        SELECT n.slot, n.device_id, w.ends_at
        FROM unnest($1::smallint[], $2::integer[]) AS n (slot, device_id)
        CROSS JOIN LATERAL (
            SELECT max(ends_at) AS ends_at FROM water_work
            WHERE slot = n.slot AND device_id = n.device_id AND begins_at <= now()
                AND ends_at > now() - $3 * interval '1 us'
        ) AS w
        WHERE w.ends_at IS NOT NULL
        """

    let devices: [DeviceKey]
    init(_ devices: [DeviceKey]) { self.devices = devices }

    func bind(_ parameters: inout Parameters) {
        parameters.append(devices)
        parameters.append(FlatLine.memory.wholeMicroseconds)
    }

    static func decode(_ row: inout RowReader) throws -> (device: DeviceKey, endsAt: Timestamp) {
        try (DeviceKey(&row), row.read())
    }
}
