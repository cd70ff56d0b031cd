import Postgres
import Store
import WaterQuality

/// How far a device's clock is known to be behind; zero where that is not known.
struct ReadClockLag: Statement {
    static let sql = "SELECT clock_lag($1, $2)"
    let device: DeviceKey
    init(of device: DeviceKey) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    static func decode(_ row: inout RowReader) throws -> Duration { .seconds(Int64(try row.read(Int32.self))) }
}
