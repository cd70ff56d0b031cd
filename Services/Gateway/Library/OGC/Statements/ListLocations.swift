import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// A page of the devices or of the sites that the person has, in the order of their ids.
struct ListLocations: Statement {
    static let sql = """
        SELECT l.hardware_id, l.name, l.role, j.name, l.since, l.latitude, l.longitude, l.located_at
        FROM \(LocationFilter.selection("l.hardware_id > $1 AND l.kind = $4 AND l.since <= $5")) l
        LEFT JOIN person_project j ON j.project_id = l.project_id
        ORDER BY l.hardware_id
        LIMIT $6
        """

    struct Row: FeatureRow {
        var hardwareID: String
        var name: String
        var role: String
        /// The name of the project whose it is.
        var project: String?
        var since: Timestamp
        var latitude: Double?
        var longitude: Double?
        /// When it was there, of a device that moves.
        var locatedAt: Timestamp?

        var place: String { hardwareID }

        var feature: Feature {
            Feature(
                id: hardwareID, latitude: latitude, longitude: longitude,
                properties: [
                    .init("name", .string(name)), .init("role", .string(role)), .init("project", .text(project)),
                    .init("since", .string(since.iso8601)), .init("locatedAt", .text(locatedAt?.iso8601)),
                ])
        }
    }

    let filter: LocationFilter
    /// The last id of the page before; empty for the first page.
    let after: String
    /// `device` or `site`.
    let kind: String
    /// Those that the person has had at some time of it; they have them until now.
    let span: TimeSpan
    let limit: Int64

    init(_ layer: Layer, _ filter: LocationFilter, after: String = "", in span: TimeSpan = .always, limit: Int) {
        self.filter = filter
        self.after = after
        kind = layer == .sites ? "site" : "device"
        self.span = span
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        filter.bind(from: after, &parameters)
        parameters.append(kind)
        parameters.append(span.until)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            hardwareID: row.read(), name: row.read(), role: row.read(), project: row.read(), since: row.read(),
            latitude: row.read(), longitude: row.read(), locatedAt: row.read())
    }
}
