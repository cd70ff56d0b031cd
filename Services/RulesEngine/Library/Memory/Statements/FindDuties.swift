import Postgres
import Store
import WaterQuality

/// Finds what shifts of projects mean for telling some people of some devices.
struct FindDuties: Statement {
    static let sql = "SELECT account_id, slot, device_id, is_on, unwatched FROM shift_holds($1, $2, $3)"

    let people: [Account.ID]
    let devices: [DeviceKey]

    init(of people: [Account.ID], for devices: [DeviceKey]) {
        self.people = people
        self.devices = devices
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(people)
        parameters.append(devices)
    }

    struct Row: Sendable {
        var account: Account.ID
        var device: DeviceKey
        var duty: ShiftDuty
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let (account, device) = try (row.read(Account.ID.self), DeviceKey(&row))
        let isOn = try row.read(Bool.self)
        // Parameters that only a newer version knows are nobody's to decide here.
        let unwatched = try row.read([Int16].self).compactMap { Parameter(rawValue: $0) }
        return Row(account: account, device: device, duty: isOn ? .on : .off(unwatched: Set(unwatched)))
    }
}
