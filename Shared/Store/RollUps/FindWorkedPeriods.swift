package import Instants
package import Postgres
import WaterQuality

/// The stretches of work on a device's water in a period, by the device's clock, oldest first.
package struct FindWorkedPeriods: Statement {
    package static let sql = """
        SELECT lower(period), upper(period) FROM device_work
        WHERE slot = $1::smallint AND device_id = $2::integer AND period && tstzrange($3, $4) AND NOT isempty(period)
        ORDER BY 1
        """

    let device: DeviceKey
    let period: Range<Timestamp>

    package init(on device: DeviceKey, in period: Range<Timestamp>) {
        self.device = device
        self.period = period
    }

    package func bind(_ parameters: inout Parameters) { parameters.append(device, in: period) }

    package static func decode(_ row: inout RowReader) throws -> Range<Timestamp> {
        try row.read(Timestamp.self)..<row.read(Timestamp.self)
    }
}
