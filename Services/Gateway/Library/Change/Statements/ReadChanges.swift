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

/// The places in an area with the roll-ups of both windows, in the order in which the person got them. The columns of the one parameter are named: chosen row by row
/// they would cost as much as all else.
struct ReadChanges: ComposedStatement {
    /// The most places that are looked up.
    static let most: Int64 = 10_000

    let parameter: Parameter
    let windows: ChangeWindows
    let area: MapArea

    var sql: ComposedSQL {
        """
        SELECT p.hardware_id, p.name, p.kind = 'site', p.latitude, p.longitude, a.hours, a.means, a.readings, a.flagged,
            b.hours, b.means, b.readings, b.flagged, c.value, d.value
        FROM (
            SELECT o.* FROM (
                SELECT * FROM person_point o
                WHERE \(inside)
                ORDER BY o.ownership_id
                LIMIT \(bind: Self.most + 1)
            ) o
            ORDER BY o.slot, o.device_id
            OFFSET 0 -- roll-ups of neighbours are on the same pages
        ) p
        \(rollUps(windows.before)) a
        \(rollUps(windows.after)) b
        \(byHand(windows.before)) c ON true
        \(byHand(windows.after)) d ON true
        ORDER BY p.ownership_id
        """
    }

    private var inside: ComposedSQL {
        let (west, east): (ComposedSQL, ComposedSQL) = (
            "o.longitude >= \(bind: area.west)", "o.longitude <= \(bind: area.east)"
        )
        let across: ComposedSQL = area.west <= area.east ? " AND " : " OR "
        return "o.latitude >= \(bind: area.south) AND o.latitude <= \(bind: area.north) AND (\(west)\(across)\(east))"
    }

    /// The hours of the day and the means of the window's parts, and what they are made of.
    private func rollUps(_ window: Range<Timestamp>) -> ComposedSQL {
        let column = "s.\(parameter.name)"
        let (source, hour): (ComposedSQL, ComposedSQL) =
            switch windows.part {
            case .hour: ("person_sample_hour", "date_part('hour', s.starts_at AT TIME ZONE 'UTC')::smallint")
            case .day: ("person_sample_day", "0::smallint")
            }
        return """
            CROSS JOIN LATERAL (
                SELECT coalesce(array_agg(\(hour)), '{}') AS hours,
                    coalesce(array_agg(\(schema: column)_sum / \(schema: column)_count), '{}') AS means,
                    coalesce(sum(\(schema: column)_count), 0)::bigint AS readings,
                    coalesce(sum(\(schema: column)_flagged >> 3), 0)::bigint AS flagged
                FROM \(source) s
                WHERE s.slot = p.slot AND s.device_id = p.device_id AND \(schema: column)_count > 0
                    AND s.starts_at >= \(bind: window.lowerBound)::timestamptz AND s.starts_at < \(bind: window.upperBound)::timestamptz)
            """
    }

    /// The newest value by hand at the end of a window.
    private func byHand(_ window: Range<Timestamp>) -> ComposedSQL {
        """
        LEFT JOIN LATERAL (
            SELECT v.value FROM hand_value v
            WHERE (a.readings = 0 OR b.readings = 0) -- looked up of such places alone
                AND v.slot = p.slot AND v.tank_id = p.tank_id AND v.parameter = \(bind: parameter.rawValue)
                AND v.at <= \(bind: window.upperBound)::timestamptz AND v.at > \(bind: window.upperBound - windows.reach)::timestamptz
            ORDER BY v.at DESC, v.test_id DESC
            LIMIT 1)
        """
    }

    static func decode(_ row: inout RowReader) throws -> PlacedParts {
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
