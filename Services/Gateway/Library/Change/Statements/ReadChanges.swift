import Instants
import Postgres
import Store
import WaterQuality

/// A place of the person's on the map, with the roll-ups of both windows, or the values by hand at both moments where a window has none.
struct PlacedParts: Sendable {
    struct Window: Sendable {
        var parts: [ChangePart]
        /// How many readings they are made of, and how many of those QARTOD's tests flagged.
        var readings: Int64
        var flagged: Int64
    }

    var device: String
    var name: String
    var isSite: Bool
    var latitude: Double
    var longitude: Double
    var before: Window
    var after: Window
    /// The newest value by hand at each moment, in the canonical unit.
    var handBefore: Float?
    var handAfter: Float?
}

/// The places in an area with the hours of both windows, in the order in which the person got them.
struct ReadHourlyChanges: Statement {
    static let sql = ChangeSource.sql(
        of: "person_sample_hour", hour: "extract(hour FROM s.starts_at AT TIME ZONE 'UTC')::smallint")
    let source: ChangeSource
    init(_ source: ChangeSource) { self.source = source }
    func bind(_ parameters: inout Parameters) { source.bind(&parameters) }
    static func decode(_ row: inout RowReader) throws -> PlacedParts { try ChangeSource.decode(&row) }
}

/// The same with days.
struct ReadDailyChanges: Statement {
    static let sql = ChangeSource.sql(of: "person_sample_day", hour: "0::smallint")
    let source: ChangeSource
    init(_ source: ChangeSource) { self.source = source }
    func bind(_ parameters: inout Parameters) { source.bind(&parameters) }
    static func decode(_ row: inout RowReader) throws -> PlacedParts { try ChangeSource.decode(&row) }
}

/// The input that both share.
struct ChangeSource: Sendable {
    /// The most places that are looked up.
    static let most: Int64 = 10_000

    let parameter: Parameter
    let windows: ChangeWindows
    let area: MapArea

    fileprivate static func sql(of rollUps: String, hour: String) -> String {
        func window(_ since: String, _ until: String) -> String {
            """
            CROSS JOIN LATERAL (
                SELECT coalesce(array_agg(part.hour), '{}') AS hours, coalesce(array_agg(part.total / part.number), '{}') AS means,
                    coalesce(sum(part.number), 0)::bigint AS readings, coalesce(sum(part.flagged >> 3), 0)::bigint AS flagged
                FROM (
                    SELECT \(hour) AS hour, \(column("_sum")) AS total, \(column("_count")) AS number, \(column("_flagged")) AS flagged
                    FROM \(rollUps) s
                    WHERE s.slot = p.slot AND s.device_id = p.device_id AND s.starts_at >= \(since)::timestamptz AND s.starts_at < \(until)::timestamptz
                ) part
                WHERE part.number > 0)
            """
        }
        func byHand(_ until: String) -> String {
            """
            LEFT JOIN LATERAL (
                SELECT v.value FROM hand_value v
                WHERE (a.readings = 0 OR b.readings = 0) -- looked up of such places alone
                    AND v.slot = p.slot AND v.tank_id = p.tank_id AND v.parameter = $1::smallint
                    AND v.at <= \(until)::timestamptz AND v.at > \(until)::timestamptz - $6 * interval '1 us'
                ORDER BY v.at DESC, v.test_id DESC
                LIMIT 1)
            """
        }
        return """
            SELECT p.hardware_id, p.name, p.kind = 'site', p.latitude, p.longitude, a.hours, a.means, a.readings, a.flagged,
                b.hours, b.means, b.readings, b.flagged, c.value, d.value
            FROM (
                SELECT * FROM person_point o
                WHERE o.latitude BETWEEN $8 AND $10
                    AND CASE WHEN $7::double precision <= $9::double precision THEN o.longitude BETWEEN $7 AND $9 ELSE o.longitude >= $7 OR o.longitude <= $9 END
                ORDER BY o.ownership_id
                LIMIT $11
            ) p
            \(window("$2", "$3")) a
            \(window("$4", "$5")) b
            \(byHand("$3")) c ON true
            \(byHand("$5")) d ON true
            ORDER BY p.ownership_id
            """
    }

    private static func column(_ suffix: String) -> String { Parameter.column(numbered: "$1", of: "s", suffix) }

    fileprivate func bind(_ parameters: inout Parameters) {
        parameters.append(parameter)
        for end in [
            windows.before.lowerBound, windows.before.upperBound, windows.after.lowerBound, windows.after.upperBound,
        ] {
            parameters.append(end)
        }
        parameters.append(windows.reach.wholeMicroseconds)
        for side in [area.west, area.south, area.east, area.north] { parameters.append(side) }
        parameters.append(Self.most + 1)
    }

    fileprivate static func decode(_ row: inout RowReader) throws -> PlacedParts {
        try PlacedParts(
            device: row.read(), name: row.read(), isSite: row.read(), latitude: row.read(), longitude: row.read(),
            before: window(&row), after: window(&row), handBefore: row.read(), handAfter: row.read())
    }

    private static func window(_ row: inout RowReader) throws -> PlacedParts.Window {
        let (hours, means) = try (row.read([Int16].self), row.read([Double].self))
        let parts = zip(hours, means).map { ChangePart(hour: $0, mean: $1) }
        return try PlacedParts.Window(parts: parts, readings: row.read(), flagged: row.read())
    }
}
