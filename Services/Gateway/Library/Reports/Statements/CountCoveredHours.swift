import Instants
import Postgres
import Store
import WaterQuality

/// Counts the hours of a period in which each parameter of a device has a value that the person may see; no row where none has.
struct CountCoveredHours: Statement {
    static let sql = """
        SELECT \(SampleColumns.each { "count(*) FILTER (WHERE \($0)_count > 0)::integer" })
        FROM person_sample_hour
        WHERE slot = $1::smallint AND device_id = $2::integer
            AND starts_at >= date_bin('1 hour', $3::timestamptz, 'epoch') AND starts_at < $4::timestamptz
        HAVING count(*) > 0
        """

    let device: DeviceKey
    let period: Range<Timestamp>

    /// - Parameter period: By the device's clock.
    init(of device: DeviceKey, in period: Range<Timestamp>) {
        self.device = device
        self.period = period
    }

    func bind(_ parameters: inout Parameters) { parameters.append(device, in: period) }

    static func decode(_ row: inout RowReader) throws -> PerParameter<Int> {
        var counts = PerParameter(repeating: 0)
        for index in counts.indices { counts[index] = Int(try row.read(Int32.self)) }
        return counts
    }
}
