import Instants
import Postgres
import Store
import WaterQuality

/// The last two values by hand of each parameter of a device that the person has now, newest first of each.
struct ReadLastHandValues: Statement {
    static let sql = """
        SELECT \(HandPointRow.columns)
        FROM person_tank k
        CROSS JOIN generate_series(0, \(Parameter.count - 1)) AS p (parameter)
        CROSS JOIN LATERAL (
            SELECT * FROM hand_value v
            WHERE v.slot = k.slot AND v.tank_id = k.tank_id AND v.parameter = p.parameter
            ORDER BY v.at DESC, v.test_id DESC
            LIMIT 2
        ) v
        \(HandPointRow.joined)
        WHERE k.slot = $1 AND k.device_id = $2 AND k.unlinked_at IS NULL
        ORDER BY v.parameter, v.at DESC, v.test_id DESC
        """
    let device: DeviceKey
    init(of device: DeviceKey) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    static func decode(_ row: inout RowReader) throws -> HandPoint? { try HandPointRow.read(&row) }
}

/// The values by hand of one parameter of a device that the person has or had, in a period, newest first.
struct ListHandValues: Statement {
    static let sql = """
        SELECT \(HandPointRow.columns)
        FROM (
            SELECT v.* FROM person_tank k
            CROSS JOIN LATERAL (
                SELECT * FROM hand_value v
                WHERE v.slot = k.slot AND v.tank_id = k.tank_id AND v.parameter = $3 AND v.at >= $4 AND v.at < $5
                ORDER BY v.at DESC, v.test_id DESC
                LIMIT $6
            ) v
            WHERE k.slot = $1 AND k.device_id = $2
            ORDER BY v.at DESC, v.test_id DESC
            LIMIT $6
        ) v
        \(HandPointRow.joined)
        ORDER BY v.at DESC, v.test_id DESC
        """
    let device: DeviceKey
    let parameter: Parameter
    let period: Range<Timestamp>
    let limit: Int64

    init(_ parameter: Parameter, of device: DeviceKey, in period: Range<Timestamp>, limit: Int) {
        self.device = device
        self.parameter = parameter
        self.period = period
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(parameter)
        parameters.append(period.lowerBound)
        parameters.append(period.upperBound)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> HandPoint? { try HandPointRow.read(&row) }
}

/// The columns of a value, from the tables `v`, `t` and `w`.
private enum HandPointRow {
    static let columns = """
        t.test_id, t.at, t.kit, \(CarePerson.columns), v.parameter, v.value, v.lower, v.upper, v.choice, v.read, v.unit
        """

    static let joined = """
        JOIN hand_test t ON t.slot = v.slot AND t.test_id = v.test_id
        \(CarePerson.join("t"))
        """

    /// - Returns: `nil` for what only a newer version knows.
    static func read(_ row: inout RowReader) throws -> HandPoint? {
        let (test, at, kit) = try (row.read(HandTestID.self), row.read(Timestamp.self), row.read(String?.self))
        let by = try CarePerson.read(&row)
        let (parameter, value) = try (row.read(Word<Parameter>.self), row.read(Float.self))
        let (lower, upper) = try (row.read(Float?.self), row.read(Float?.self))
        let choice = try row.read(String?.self)
        let (read, unit) = try (row.read(Double.self), row.read(String.self))
        guard let parameter = parameter.known, let unit = Unit(rawValue: unit) else { return nil }
        return HandPoint(
            test: test, at: at, kit: kit, by: by,
            value: HandValue(
                parameter: parameter, read: read, unit: unit, value: value, choice: choice, lower: lower, upper: upper))
    }
}
