import Instants
import Postgres
import Store
import WaterQuality

/// Work on the water of some devices, as far back as readings are decided anew.
struct LoadWork: Statement {
    static let sql = """
        SELECT w.slot, w.device_id, w.begins_at, w.ends_at, w.account_id, w.keeps_hard
        FROM unnest($1::smallint[], $2::integer[]) AS wanted (slot, device_id)
        CROSS JOIN LATERAL (
            SELECT slot, device_id, begins_at, ends_at, account_id, keeps_hard FROM water_work
            WHERE slot = wanted.slot AND device_id = wanted.device_id
                AND ends_at > now() - interval '\(Work.reach.components.seconds) s'
            OFFSET 0 -- looked up for each device, however few rows the planner expects
        ) AS w
        """

    let devices: [DeviceKey]
    init(_ devices: [DeviceKey]) { self.devices = devices }
    func bind(_ parameters: inout Parameters) { parameters.append(devices) }

    static func decode(_ row: inout RowReader) throws -> (device: DeviceKey, work: Work) {
        let device = try DeviceKey(&row)
        let (from, until) = try (row.read(Timestamp.self), row.read(Timestamp.self))
        return try (device, Work(from..<max(from, until), begunBy: row.read(), keepsHard: row.read()))
    }
}
