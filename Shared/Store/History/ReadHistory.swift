package import Instants
package import Postgres
package import WaterQuality

/// The values of one parameter of one device in a period of event time, oldest first.
package struct ReadHistory: Statement {
    package static let sql = """
        SELECT event_time, value
        FROM (
            SELECT event_time, \(Parameter.column(numbered: "$3")) AS value
            FROM sample
            WHERE slot = $1::smallint AND device_id = $2::integer
                -- both ends are given, so that only the partitions between them are opened
                AND event_time >= $4::timestamptz AND event_time < $5::timestamptz
        ) AS message
        WHERE value IS NOT NULL
        ORDER BY event_time
        LIMIT $6::integer
        """

    package struct Point: Equatable, Sendable {
        package let time: Timestamp
        /// The value in the parameter's canonical unit.
        package let value: Float
    }

    let device: DeviceKey
    let parameter: Parameter
    let period: Range<Timestamp>
    let limit: Int32

    /// - Parameter limit: The most points. A day with a reading every 30 seconds has 2,880.
    package init(_ parameter: Parameter, of device: DeviceKey, in period: Range<Timestamp>, limit: Int32) {
        self.device = device
        self.parameter = parameter
        self.period = period
        self.limit = limit
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(parameter)
        parameters.append(period.lowerBound)
        parameters.append(period.upperBound)
        parameters.append(limit)
    }

    package static func decode(_ row: inout RowReader) throws -> Point {
        try Point(time: row.read(), value: row.read())
    }
}
