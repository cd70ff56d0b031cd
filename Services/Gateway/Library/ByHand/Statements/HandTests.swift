import Instants
import Postgres
import Store
import WaterQuality

/// A test of a device that the person has now; no row where there is none, or it is of another tank.
struct ReadHandTest: Statement {
    static let sql = """
        SELECT \(HandTestRow.columns)
        FROM person_tank k
        JOIN hand_test t ON t.slot = k.slot AND t.tank_id = k.tank_id
        \(HandTestRow.joined)
        WHERE k.slot = $1 AND k.device_id = $2 AND k.unlinked_at IS NULL AND t.test_id = $3
        """
    let device: DeviceKey
    let id: HandTestID

    init(_ id: HandTestID, of device: DeviceKey) {
        self.id = id
        self.device = device
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(id)
    }

    static func decode(_ row: inout RowReader) throws -> HandTest { try HandTestRow.read(&row) }
}

/// A page of the tests of a device that the person has or had, newest first.
struct PageHandTests: Statement {
    static let sql = """
        SELECT \(HandTestRow.columns)
        FROM (
            SELECT t.* FROM person_tank k
            CROSS JOIN LATERAL (
                SELECT * FROM hand_test t
                WHERE t.slot = k.slot AND t.tank_id = k.tank_id AND t.at <= $3 AND (t.at, t.test_id) < ($3, $4)
                ORDER BY t.at DESC, t.test_id DESC
                LIMIT $5
            ) t
            WHERE k.slot = $1 AND k.device_id = $2
            ORDER BY t.at DESC, t.test_id DESC
            LIMIT $5
        ) t
        \(HandTestRow.joined)
        ORDER BY t.at DESC, t.test_id DESC
        """

    /// A place in the order of tests.
    struct Place: Hashable, Sendable {
        var at: Timestamp
        var id: HandTestID

        /// Above all tests.
        static let newest = Place(at: .distantFuture, id: HandTestID(rawValue: .max))
    }

    let device: DeviceKey
    let place: Place
    let limit: Int64

    init(of device: DeviceKey, below place: Place, limit: Int) {
        self.device = device
        self.place = place
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(place.at)
        parameters.append(place.id)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> HandTest { try HandTestRow.read(&row) }
}

/// Writes a test of the named person's.
struct PutHandTest: Statement {
    static let sql = """
        SELECT outcome FROM put_hand_test($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        """

    /// The raw values are those of the database's function.
    enum Outcome: String, CaseIterable, Sendable {
        case created, changed, stale, notTheirs, ofSample, unknown
    }

    let id: HandTestID
    let device: DeviceKey
    /// The version that is changed; `nil` to create.
    let version: Int32?
    let content: HandTestContent

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(id)
        parameters.append(version)
        parameters.append(content.at)
        parameters.append(content.kit)
        parameters.append(content.note)
        parameters.append(content.values.map(\.parameter.rawValue))
        parameters.append(content.values.map(\.value))
        parameters.append(content.values.map(\.lower))
        parameters.append(content.values.map(\.upper))
        parameters.append(content.values.map(\.choice))
        parameters.append(content.values.map(\.read))
        parameters.append(content.values.map(\.unit.rawValue))
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// Deletes a test of the named person's.
struct DeleteHandTest: Statement {
    static let sql = "SELECT delete_hand_test($1, $2, $3)"

    /// The raw values are those of the database's function.
    enum Outcome: String, CaseIterable, Sendable {
        case deleted, notTheirs, ofSample, unknown
    }

    let id: HandTestID
    let device: DeviceKey

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(id)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// The columns of a test and its values, from the tables `t`, `w` and `v`.
private enum HandTestRow {
    static let columns = """
        t.test_id, t.version, t.at, t.kit, t.note, t.of_sample, \(CarePerson.columns), v.parameters, v.readings, v.lowers, v.uppers, v.choices,
            v.numbers, v.units
        """

    static let joined = """
        \(CarePerson.join("t"))
        CROSS JOIN LATERAL (
            SELECT coalesce(array_agg(v.parameter ORDER BY v.parameter), '{}') AS parameters,
                coalesce(array_agg(v.value ORDER BY v.parameter), '{}') AS readings,
                coalesce(array_agg(v.lower ORDER BY v.parameter), '{}') AS lowers,
                coalesce(array_agg(v.upper ORDER BY v.parameter), '{}') AS uppers,
                coalesce(array_agg(v.choice ORDER BY v.parameter), '{}') AS choices,
                coalesce(array_agg(v.read ORDER BY v.parameter), '{}') AS numbers,
                coalesce(array_agg(v.unit ORDER BY v.parameter), '{}') AS units
            FROM hand_value v WHERE v.slot = t.slot AND v.test_id = t.test_id
        ) v
        """

    static func read(_ row: inout RowReader) throws -> HandTest {
        let (id, version) = try (row.read(HandTestID.self), row.read(Int32.self))
        let at = try row.read(Timestamp.self)
        let (kit, note) = try (row.read(String?.self), row.read(String?.self))
        let isOfSample = try row.read(Bool.self)
        let by = try CarePerson.read(&row)
        let parameters = try row.read([Word<Parameter>].self)
        let readings = try row.read([Float].self)
        let (lowers, uppers) = try (row.read([Float?].self), row.read([Float?].self))
        let choices = try row.read([String?].self)
        let (numbers, units) = try (row.read([Double].self), row.read([String].self))
        // Values that only a newer version knows are left out.
        let values = parameters.indices.compactMap { place -> HandValue? in
            guard let parameter = parameters[place].known, let unit = Unit(rawValue: units[place]) else { return nil }
            return HandValue(
                parameter: parameter, read: numbers[place], unit: unit, value: readings[place], choice: choices[place],
                lower: lowers[place], upper: uppers[place])
        }
        return HandTest(
            id: id, version: version, content: HandTestContent(at: at, kit: kit, note: note, values: values),
            isOfSample: isOfSample, by: by)
    }
}
