import Instants
import Postgres
import Store
import WaterQuality

/// When a reminder asks next for an activity at a device's tank, of a device that the person has now; `nil` where none does.
struct ReadNextDue: Statement {
    static let sql = """
        SELECT next_care_due(k.slot, k.tank_id, $3) FROM person_tank k
        WHERE k.slot = $1 AND k.device_id = $2 AND k.unlinked_at IS NULL
        """

    let activity: CareActivity
    let device: DeviceKey

    init(of activity: CareActivity, on device: DeviceKey) {
        self.activity = activity
        self.device = device
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(activity)
    }

    static func decode(_ row: inout RowReader) throws -> Timestamp? { try row.read() }
}
