import Instants
import Postgres
import Store
import WaterQuality

/// The last values by hand of a parameter of a device, newest first, each with the reading that is the nearest in time; those without one
/// beside them, and those of a time at which somebody worked on the water, are no checks.
struct ListHandChecks: Statement {
    static let sql = """
        SELECT v.test_id, v.at, v.value, v.lower, v.upper, v.choice, v.read, v.unit, v.parameter, beside.reading
        FROM \(TankKey.lastOfDevice)
        CROSS JOIN LATERAL (SELECT make_interval(secs => clock_lag(k.slot, k.device_id)) AS lag OFFSET 0) c
        CROSS JOIN LATERAL (
            SELECT * FROM hand_value h
            WHERE h.slot = k.slot AND h.tank_id = k.tank_id AND h.parameter = $3
            ORDER BY h.at DESC, h.test_id DESC
            LIMIT $4
        ) v
        CROSS JOIN LATERAL (
            SELECT reading FROM (
                (SELECT v.at - c.lag - s.event_time AS apart, \(reading) AS reading FROM person_sample s
                WHERE s.slot = $1 AND s.device_id = $2 AND \(reading) IS NOT NULL
                    AND s.event_time BETWEEN v.at - c.lag - \(beside) AND v.at - c.lag
                ORDER BY s.event_time DESC LIMIT 1)
                UNION ALL
                (SELECT s.event_time - (v.at - c.lag), \(reading) FROM person_sample s
                WHERE s.slot = $1 AND s.device_id = $2 AND \(reading) IS NOT NULL
                    AND s.event_time BETWEEN v.at - c.lag AND v.at - c.lag + \(beside)
                ORDER BY s.event_time LIMIT 1)
            ) AS message
            ORDER BY apart LIMIT 1
        ) beside
        WHERE NOT EXISTS (
            SELECT FROM water_work w
            WHERE w.slot = k.slot AND w.tank_id = k.tank_id AND w.begins_at <= v.at AND v.at < w.ends_at)
        ORDER BY v.at DESC, v.test_id DESC
        """

    private static let reading = Parameter.column(numbered: "$3")
    private static let beside = "interval '\(Calibration.beside.components.seconds) seconds'"

    let device: DeviceKey
    let parameter: Parameter
    let limit: Int64

    init(of parameter: Parameter, on device: DeviceKey, limit: Int) {
        self.device = device
        self.parameter = parameter
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(parameter)
        parameters.append(limit)
    }

    /// - Returns: `nil` for what only a newer version knows.
    static func decode(_ row: inout RowReader) throws -> HandCheck? {
        let (test, at) = try (row.read(HandTestID.self), row.read(Timestamp.self))
        let value = try row.read(Float.self)
        let (lower, upper) = try (row.read(Float?.self), row.read(Float?.self))
        let choice = try row.read(String?.self)
        let (read, unit) = try (row.read(Double.self), row.read(String.self))
        let (parameter, reading) = try (row.read(Parameter.self), row.read(Float.self))
        guard let unit = Unit(rawValue: unit) else { return nil }
        return HandCheck(
            test: test, at: at,
            value: HandValue(
                parameter: parameter, read: read, unit: unit, value: value, choice: choice, lower: lower, upper: upper),
            reading: reading)
    }
}
