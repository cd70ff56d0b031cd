import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// A page of the last values of the person's devices and sites: of each parameter the probe's within seven days, and the last by hand, in the order of ids
/// and parameters.
struct ListObservations: Statement {
    static let sql = """
        SELECT p.hardware_id, p.name, p.kind, p.latitude, p.longitude, v.parameter, v.by_hand, v.at, v.value, v.side
        FROM (
            SELECT l.* FROM \(LocationFilter.selection("l.hardware_id >= $1")) l
            ORDER BY l.hardware_id
            OFFSET 0 -- ends with the page, whatever number there is
        ) p
        CROSS JOIN LATERAL (
            SELECT r.parameter, false AS by_hand, r.event_time + make_interval(secs => clock_lag(p.slot, p.device_id)) AS at, r.value, r.side
            FROM latest_readings(p.hardware_id) r
            WHERE r.parameter < \(Parameter.count) -- a newer version has more
            UNION ALL
            SELECT g.parameter::smallint, true, h.at, h.value, NULL
            FROM generate_series(0, \(Parameter.count - 1)) AS g (parameter)
            CROSS JOIN LATERAL (
                SELECT h.at, h.value FROM hand_value h
                WHERE h.slot = p.slot AND h.tank_id = p.tank_id AND h.parameter = g.parameter
                ORDER BY h.at DESC, h.test_id DESC
                LIMIT 1
            ) h
            OFFSET 0
        ) v
        WHERE (p.hardware_id, v.parameter, v.by_hand) > ($1, $4::smallint, $5::boolean) AND v.at >= $6 AND v.at <= $7
        ORDER BY p.hardware_id, v.parameter, v.by_hand
        LIMIT $8
        """

    /// A place in the order of values.
    struct Place: CursorKey {
        var hardwareID: String
        var parameter: Int16
        var isByHand: Bool

        /// In front of all values.
        static let first = Place(hardwareID: "", parameter: -1, isByHand: false)

        init(hardwareID: String, parameter: Int16, isByHand: Bool) {
            (self.hardwareID, self.parameter, self.isByHand) = (hardwareID, parameter, isByHand)
        }

        var cursorParts: [JSON] { [.string(hardwareID), .integer(Int64(parameter)), .bool(isByHand)] }

        init?(cursorParts parts: [JSON]) {
            guard parts.count == 3, let hardwareID = parts[0].string, !hardwareID.utf8.contains(0),
                let parameter = parts[1].integer.flatMap({ Int16(exactly: $0) }), let isByHand = parts[2].bool
            else { return nil }
            self.init(hardwareID: hardwareID, parameter: parameter, isByHand: isByHand)
        }
    }

    struct Row: FeatureRow {
        var hardwareID: String
        var name: String
        var kind: String
        var latitude: Double?
        var longitude: Double?
        var parameter: Parameter
        var isByHand: Bool
        var at: Timestamp
        /// In the parameter's canonical unit.
        var value: Float
        /// The side of the open episode; nil in range.
        var side: Side?

        var place: Place { Place(hardwareID: hardwareID, parameter: parameter.rawValue, isByHand: isByHand) }

        var feature: Feature {
            let state: RangeState? = isByHand ? nil : side.map { $0 == .low ? .low : .high } ?? .inRange
            return Feature(
                id: ObservationID(device: hardwareID, parameter: parameter, isByHand: isByHand).text,
                latitude: latitude,
                longitude: longitude,
                properties: [
                    .init("device", .string(hardwareID)), .init("name", .string(name)), .init("kind", .string(kind)),
                    .init("parameter", .string(parameter.name)), .init("time", .string(at.iso8601)),
                    .init("value", .decimal(value.shownDouble)),
                    .init("unit", .string(parameter.canonicalUnit.rawValue)),
                    .init("method", isByHand ? "hand" : "probe"), .init("state", .text(state?.rawValue)),
                ])
        }
    }

    let filter: LocationFilter
    let place: Place
    let span: TimeSpan
    let limit: Int64

    init(_ filter: LocationFilter, after place: Place = .first, in span: TimeSpan = .always, limit: Int) {
        self.filter = filter
        self.place = place
        self.span = span
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        filter.bind(from: place.hardwareID, &parameters)
        parameters.append(place.parameter)
        parameters.append(place.isByHand)
        parameters.append(span.from)
        parameters.append(span.until)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            hardwareID: row.read(), name: row.read(), kind: row.read(), latitude: row.read(), longitude: row.read(),
            parameter: row.read(), isByHand: row.read(), at: row.read(), value: row.read(), side: row.read())
    }
}
