import Instants
import Postgres
import Store
import WaterQuality

/// Lists the calibration log of a parameter of a device, in the tank that the person has or had it in last, newest first.
struct ListCalibrations: Statement {
    static let sql = """
        SELECT \(CalibrationRow.columns)
        FROM \(TankKey.lastOfDevice)
        JOIN calibration c ON c.slot = k.slot AND c.tank_id = k.tank_id AND c.parameter = $3
        \(CarePerson.join("c"))
        ORDER BY c.at DESC, c.calibration_id DESC
        LIMIT $4
        """
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

    static func decode(_ row: inout RowReader) throws -> CalibrationEntry? { try CalibrationRow.read(&row) }
}

/// Finds the parameters of a device that have a calibration log, in the tank that the person has or had it in last.
struct FindCalibratedParameters: Statement {
    static let sql = """
        SELECT DISTINCT c.parameter
        FROM \(TankKey.lastOfDevice)
        JOIN calibration c ON c.slot = k.slot AND c.tank_id = k.tank_id
        """
    let device: DeviceKey
    init(on device: DeviceKey) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    /// - Returns: `nil` for one that only a newer version knows.
    static func decode(_ row: inout RowReader) throws -> Parameter? { try row.read(Word<Parameter>.self).known }
}

/// Finds an entry of a tank's calibration log.
struct FindCalibration: Statement {
    static let sql = """
        SELECT \(CalibrationRow.columns)
        FROM calibration c
        \(CarePerson.join("c"))
        WHERE c.slot = $1 AND c.tank_id = $2 AND c.calibration_id = $3
        """
    let id: CalibrationID
    let tank: TankKey

    init(_ id: CalibrationID, in tank: TankKey) {
        self.id = id
        self.tank = tank
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(tank)
        parameters.append(id)
    }

    static func decode(_ row: inout RowReader) throws -> CalibrationEntry? { try CalibrationRow.read(&row) }
}

/// Adds an entry of the person's; no row where one has its id already, perhaps in somebody else's tank.
struct AddCalibration: Statement {
    static let sql = """
        INSERT INTO calibration (slot, tank_id, calibration_id, device_id, parameter, account_id, kind, at, unit, standards, befores, afters,
            millivolts, temperature, note)
        VALUES ($1, $2, $3, $4, $5, (SELECT current_account()), $6, $7, $8, $9, $10, $11, $12, $13, $14)
        ON CONFLICT DO NOTHING
        RETURNING true
        """
    let id: CalibrationID
    let tank: Tank
    let parameter: Parameter
    let content: CalibrationContent

    init(_ id: CalibrationID, of parameter: Parameter, in tank: Tank, _ content: CalibrationContent) {
        self.id = id
        self.tank = tank
        self.parameter = parameter
        self.content = content
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(tank.key)
        parameters.append(id)
        parameters.append(tank.device)
        parameters.append(parameter)
        parameters.append(content)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Changes an entry, of the version that was read; no row where it has changed since.
struct ChangeCalibration: Statement {
    static let sql = """
        UPDATE calibration
        SET kind = $4, at = $5, unit = $6, standards = $7, befores = $8, afters = $9, millivolts = $10, temperature = $11, note = $12,
            version = version + 1
        WHERE slot = $1 AND tank_id = $2 AND calibration_id = $3 AND version = $13
        RETURNING true
        """
    let entry: CalibrationEntry
    let tank: TankKey
    let content: CalibrationContent

    init(_ entry: CalibrationEntry, in tank: TankKey, to content: CalibrationContent) {
        self.entry = entry
        self.tank = tank
        self.content = content
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(tank)
        parameters.append(entry.id)
        parameters.append(content)
        parameters.append(entry.version)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

extension Parameters {
    /// Nine values, in the order of the columns.
    fileprivate mutating func append(_ content: CalibrationContent) {
        append(content.kind)
        append(content.at)
        append(content.unit.rawValue)
        append(content.points.map(\.standard))
        append(content.points.map(\.before))
        append(content.points.map(\.after))
        append(content.points.map(\.millivolts))
        append(content.temperature)
        append(content.note)
    }
}

/// The columns of an entry, from the tables `c` and `by`.
private enum CalibrationRow {
    static let columns = """
        c.calibration_id, c.parameter, c.version, c.kind, c.at, c.unit, c.standards, c.befores, c.afters, c.millivolts, c.temperature, c.note,
            \(CarePerson.columns)
        """

    /// - Returns: `nil` for what only a newer version knows.
    static func read(_ row: inout RowReader) throws -> CalibrationEntry? {
        let (id, parameter) = try (row.read(CalibrationID.self), row.read(Word<Parameter>.self))
        let (version, kind) = try (row.read(Int32.self), row.read(String.self))
        let (at, unit) = try (row.read(Timestamp.self), row.read(String.self))
        let standards = try row.read([Double].self)
        let (befores, afters) = try (row.read([Double?].self), row.read([Double?].self))
        let millivolts = try row.read([Double?].self)
        let (temperature, note) = try (row.read(Double?.self), row.read(String?.self))
        let by = try CarePerson.read(&row)
        guard let parameter = parameter.known, let kind = Calibration.Kind(rawValue: kind),
            let unit = Unit(rawValue: unit)
        else { return nil }
        let points = standards.indices.map { place in
            CalibrationPoint(
                standard: standards[place], before: befores[place], after: afters[place],
                millivolts: millivolts[place])
        }
        return CalibrationEntry(
            id: id, parameter: parameter, version: version,
            content: CalibrationContent(
                kind: kind, at: at, unit: unit, points: points, temperature: temperature, note: note), by: by)
    }
}

enum CalibrationNote: RowOfTank {
    typealias ID = CalibrationID
    static let table = "calibration"
    static let id = "calibration_id"
}
