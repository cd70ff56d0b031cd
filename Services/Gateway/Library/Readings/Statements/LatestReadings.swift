package import Instants
package import Postgres
package import Store
package import WaterQuality

/// Reads the last value of each parameter of the person's present devices, with its limits and its open episode. A
/// parameter without a value in the last seven days has no row.
package struct LatestReadings: Statement {
    package static let sql = """
        SELECT r.slot, r.device_id, r.hardware_id, r.parameter, r.event_time + c.lag, r.value, r.unit, r.minimum, r.maximum, r.side,
            r.opened_at + c.lag, statement_timestamp()
        FROM latest_readings($1) r
        CROSS JOIN LATERAL (SELECT make_interval(secs => clock_lag(r.slot, r.device_id)) AS lag OFFSET 0) c
        WHERE r.parameter < \(Parameter.count) -- a newer version has more
        ORDER BY r.hardware_id, r.position, r.parameter
        """

    package struct Row: Equatable, Sendable {
        package var device: DeviceKey
        package var hardwareID: String
        package var parameter: Parameter
        /// When the value was taken, corrected by the lag of the device's clock, like `openedAt`.
        package var time: Timestamp
        /// The value in the parameter's canonical unit.
        package var value: Float
        package var unit: Unit?
        /// The limits, in whole sensor steps.
        package var minimum: Int32?
        package var maximum: Int32?
        /// The side of the open episode; `nil` in range.
        package var side: Side?
        package var openedAt: Timestamp?
        /// The database's time.
        package var now: Timestamp
    }

    let hardwareID: String?

    /// - Parameter hardwareID: The only device to read; `nil` reads all.
    package init(of hardwareID: Device.HardwareID? = nil) { self.hardwareID = hardwareID?.text }

    package func bind(_ parameters: inout Parameters) { parameters.append(hardwareID) }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            device: DeviceKey(&row), hardwareID: row.read(), parameter: row.read(), time: row.read(),
            value: row.read(), unit: row.read(String?.self).flatMap(Unit.init(rawValue:)), minimum: row.read(),
            maximum: row.read(), side: row.read(), openedAt: row.read(), now: row.read())
    }
}
