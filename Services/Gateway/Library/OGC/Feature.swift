import Routes

/// A feature of GeoJSON (RFC 7946): a point or nothing, with properties.
struct Feature: Sendable {
    /// Unique in its layer, and the same as long as it is there.
    var id: String
    /// In degrees by WGS 84; both or neither.
    var latitude: Double?
    var longitude: Double?
    var properties: [JSON.Member]

    /// - Parameter links: Of a feature that is answered alone.
    func json(links: [JSON] = []) -> JSON {
        var geometry = JSON.null
        if let latitude, let longitude {
            geometry = ["type": "Point", "coordinates": [.number(longitude), .number(latitude)]]
        }
        let members: [JSON.Member] = [
            .init("type", "Feature"), .init("id", .string(id)), .init("geometry", geometry),
            .init("properties", .object(properties)),
        ]
        return .object(links.isEmpty ? members : members + [.init("links", .array(links))])
    }
}

/// A page of features.
struct FeaturePage: Sendable {
    let features: [Feature]
    /// The cursor of the next page; nil at the end.
    let next: String?
}

/// A row that is a feature, with its place in the order of its layer.
protocol FeatureRow: Sendable {
    associatedtype Place: CursorKey
    var place: Place { get }
    var feature: Feature { get }
}

extension FeaturePage {
    /// - Parameter rows: Up to one more than `limit`; the additional row shows that the layer goes on.
    init(_ rows: [some FeatureRow], limit: Int, of layer: Layer) {
        let page = Page(rows, limit: limit, of: layer.rawValue) { $0.place }
        self.init(features: page.items.map(\.feature), next: page.next)
    }
}

extension JSON {
    static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
    static func decimal(_ number: Double?) -> JSON { number.map { $0.isFinite ? .number($0) : .null } ?? .null }
}
