import Instants
import Routes
import WaterQuality

/// What a public page shows, as features without a place: a page tells nobody where the water is.
extension PublicPage {
    static let layers = [Layer.observations]

    static let properties = [
        Layer.Property("tank", ["type": "string"], "The owner's words for it."),
        Layer.Property("parameter", ["type": "string"], "The parameter that was measured."),
        Layer.Property("time", ["type": "string", "format": "date-time"], "When it was measured."),
        Layer.Property("value", ["type": "number"], "The value, as the page shows it."),
        Layer.Property("unit", ["type": "string"], "Its unit."),
        Layer.Property(
            "state", ["type": ["string", "null"]],
            "inRange, low or high by the owner's limits; null where that is not shown, or not known now."),
    ]

    /// - Throws: `Problem` for a cursor that is none.
    func features(_ query: FeatureQuery) throws(Problem) -> FeaturePage {
        let after: Int64? = try query.place(in: .observations)
        let rows = rows.filter { $0.place > after ?? -1 && query.span.contains($0.at) }
        return FeaturePage(Array(rows.prefix(query.limit + 1)), limit: query.limit, of: .observations)
    }

    /// - Throws: `Problem(.notFound)` for what the page does not show.
    func feature(_ id: String) throws(Problem) -> Feature {
        guard let found = rows.first(where: { $0.feature.id == id }) else { throw Problem(.notFound) }
        return found.feature
    }

    private struct Row: FeatureRow {
        let place: Int64
        let at: Timestamp
        let feature: Feature
    }

    /// The last values, where there are any.
    private var rows: [Row] {
        let shown = tanks.enumerated().flatMap { number, tank in tank.values.map { (number + 1, tank.title, $0) } }
        return shown.enumerated().compactMap { place, shown in
            let (number, title, value) = shown
            guard let last = value.last, let at = value.at else { return nil }
            return Row(
                place: Int64(place), at: at,
                feature: Feature(
                    id: "\(number).\(value.parameter.name)",
                    properties: [
                        .init("tank", .string(title)), .init("parameter", .string(value.parameter.name)),
                        .init("time", .string(at.iso8601)), .init("value", .decimal(last)),
                        .init("unit", .string(value.scale.unit.rawValue)), .init("state", .text(value.state?.rawValue)),
                    ]))
        }
    }
}
