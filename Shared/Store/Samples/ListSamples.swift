package import Instants
package import Postgres
package import WaterQuality

/// A device's messages that the person may see in a short period, oldest first.
///
/// A long period is read in pieces, each with both ends given, so that a piece costs the same wherever it lies.
package struct ListSamples: Statement {
    package static let sql = """
        SELECT event_time, \(Parameter.allCases.map(\.name).joined(separator: ", ")) FROM person_sample
        WHERE slot = $1::smallint AND device_id = $2::integer
            AND event_time >= $3::timestamptz AND event_time < $4::timestamptz
        ORDER BY event_time
        """

    package struct Row: Equatable, Sendable {
        package var time: Timestamp
        package var readings: Readings

        package init(time: Timestamp, readings: Readings) {
            self.time = time
            self.readings = readings
        }
    }

    let device: DeviceKey
    let period: Range<Timestamp>

    package init(of device: DeviceKey, in period: Range<Timestamp>) {
        self.device = device
        self.period = period
    }

    package func bind(_ parameters: inout Parameters) { parameters.append(device, in: period) }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(time: row.read(), readings: Readings(&row))
    }
}

extension Readings {
    /// Reads one column for each parameter, in the catalogue's order.
    package init(_ row: inout RowReader) throws {
        self.init()
        for parameter in Parameter.allCases { self[parameter] = try row.read() }
    }
}
