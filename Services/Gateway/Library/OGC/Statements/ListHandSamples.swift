import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// A page of the samples that people have tested by hand, of the person's devices and sites, in the order of ids and the newest first of each.
struct ListHandSamples: Statement {
    static let sql = """
        SELECT \(SampleRow.columns)
        FROM (
            SELECT l.* FROM \(LocationFilter.selection("l.hardware_id >= $1")) l
            ORDER BY l.hardware_id
            OFFSET 0 -- ends with the page, whatever number there is
        ) p
        CROSS JOIN LATERAL (
            SELECT t.slot, t.test_id, t.at, t.kit, t.note FROM hand_test t
            WHERE t.slot = p.slot AND t.tank_id = p.tank_id AND t.at >= $6 AND t.at <= $7
                AND (p.hardware_id > $1 OR (t.at, t.test_id) < ($4, $5))
            ORDER BY t.at DESC, t.test_id DESC
            LIMIT $8
        ) t
        \(SampleRow.joined)
        ORDER BY p.hardware_id, t.at DESC, t.test_id DESC
        LIMIT $8
        """

    /// A place in the order of samples.
    struct Place: CursorKey {
        var hardwareID: String
        var at: Timestamp
        var id: HandTestID

        /// In front of all samples.
        static let first = Place(hardwareID: "", at: .distantFuture, id: HandTestID(rawValue: .max))

        init(hardwareID: String, at: Timestamp, id: HandTestID) {
            (self.hardwareID, self.at, self.id) = (hardwareID, at, id)
        }

        var cursorParts: [JSON] { [.string(hardwareID), .integer(at.microseconds), .string("\(id)")] }

        init?(cursorParts parts: [JSON]) {
            guard parts.count == 3, let hardwareID = parts[0].string, !hardwareID.utf8.contains(0),
                let at = parts[1].integer, Timestamp.sayable.contains(at),
                let id = parts[2].string.flatMap({ HandTestID($0) })
            else { return nil }
            self.init(hardwareID: hardwareID, at: Timestamp(microseconds: at), id: id)
        }
    }

    let filter: LocationFilter
    let place: Place
    let span: TimeSpan
    let limit: Int64

    init(_ filter: LocationFilter, below place: Place, in span: TimeSpan, limit: Int) {
        self.filter = filter
        self.place = place
        self.span = span
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        filter.bind(from: place.hardwareID, &parameters)
        parameters.append(place.at)
        parameters.append(place.id)
        parameters.append(span.from)
        parameters.append(span.until)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> SampleRow { try SampleRow(&row) }
}

/// A sample of a device or a site that the person has; no row where there is none.
struct FindSample: Statement {
    static let sql = """
        SELECT \(SampleRow.columns)
        FROM \(LocationFilter.locations) p
        JOIN hand_test t ON t.slot = p.slot AND t.tank_id = p.tank_id
        \(SampleRow.joined)
        WHERE t.test_id = $1
        """
    let id: HandTestID
    init(_ id: HandTestID) { self.id = id }
    func bind(_ parameters: inout Parameters) { parameters.append(id) }
    static func decode(_ row: inout RowReader) throws -> SampleRow { try SampleRow(&row) }
}

/// A sample: a test `t` of a place `p`, with its values.
struct SampleRow: FeatureRow {
    fileprivate static let columns = """
        p.hardware_id, p.name, p.kind, p.latitude, p.longitude, t.test_id, t.at, t.kit, t.note, v.parameters, v.readings, v.lowers, v.uppers, v.steps
        """

    fileprivate static let joined = """
        CROSS JOIN LATERAL (
            SELECT coalesce(array_agg(v.parameter ORDER BY v.parameter), '{}') AS parameters,
                coalesce(array_agg(v.value ORDER BY v.parameter), '{}') AS readings,
                coalesce(array_agg(v.lower ORDER BY v.parameter), '{}') AS lowers,
                coalesce(array_agg(v.upper ORDER BY v.parameter), '{}') AS uppers,
                coalesce(array_agg(v.choice IS NOT NULL ORDER BY v.parameter), '{}') AS steps
            FROM hand_value v WHERE v.slot = t.slot AND v.test_id = t.test_id
        ) v
        """

    /// A value in the parameter's canonical unit.
    struct Value: Sendable {
        var value: Float
        /// Of a step of a kit's card: from where on, and up to where; nil where that is open.
        var lower: Float?
        var upper: Float?
        var isStep: Bool
    }

    var hardwareID: String
    var name: String
    var kind: String
    var latitude: Double?
    var longitude: Double?
    var id: HandTestID
    var at: Timestamp
    var kit: String?
    var note: String?
    /// Values that only a newer version knows are left out.
    var values: [Parameter: Value]

    fileprivate init(_ row: inout RowReader) throws {
        (hardwareID, name, kind) = try (row.read(), row.read(), row.read())
        (latitude, longitude) = try (row.read(), row.read())
        (id, at) = try (row.read(), row.read())
        (kit, note) = try (row.read(), row.read())
        let (parameters, readings) = try (row.read([Word<Parameter>].self), row.read([Float].self))
        let (lowers, uppers) = try (row.read([Float?].self), row.read([Float?].self))
        let steps = try row.read([Bool].self)
        values = [:]
        for (place, parameter) in parameters.enumerated() {
            guard let parameter = parameter.known else { continue }
            values[parameter] = Value(
                value: readings[place], lower: lowers[place], upper: uppers[place], isStep: steps[place])
        }
    }

    var place: ListHandSamples.Place { ListHandSamples.Place(hardwareID: hardwareID, at: at, id: id) }

    /// Properties for each parameter, null where it was not measured; of steps their bounds as well, `nitrate_lower` and `nitrate_upper`.
    var feature: Feature {
        var properties: [JSON.Member] = [
            .init("device", .string(hardwareID)), .init("name", .string(name)), .init("kind", .string(kind)),
            .init("time", .string(at.iso8601)), .init("kit", .text(kit)), .init("note", .text(note)),
        ]
        properties += Parameter.allCases.map { .init($0.name, .decimal(values[$0]?.value.shownDouble)) }
        for parameter in Parameter.allCases {
            guard let value = values[parameter], value.isStep else { continue }
            properties.append(.init("\(parameter.name)_lower", .decimal(value.lower?.shownDouble)))
            properties.append(.init("\(parameter.name)_upper", .decimal(value.upper?.shownDouble)))
        }
        return Feature(id: "\(id)", latitude: latitude, longitude: longitude, properties: properties)
    }
}
