import Routes

/// What clients take for a service of its own.
enum FeatureRoot: Sendable {
    /// What the caller may see.
    case own
    /// What a public page shows, by the secret of its address.
    case page(secret: String)

    /// The beginning of all of its addresses.
    var path: String {
        switch self {
        case .own: OGCFeatures.base
        case .page(let secret): "\(OGCFeatures.base)/public/\(percentEncoded(secret))"
        }
    }

    var layers: [Layer] {
        switch self {
        case .own: Layer.allCases
        case .page: PublicPage.layers
        }
    }

    func properties(of layer: Layer) -> [Layer.Property] {
        switch self {
        case .own: layer.properties
        case .page: PublicPage.properties
        }
    }

    /// - Throws: `Problem(.notFound)` where there is no such root.
    func find(_ scope: Scope) async throws {
        if case .page(let secret) = self { _ = try await scope.publicPage(secret) }
    }

    /// - Throws: `Problem` where there is no such root, or the caller is not let in.
    func enter(_ scope: Scope) async throws {
        if case .own = self { _ = try await scope.person() }
        try await find(scope)
    }

    func features(_ layer: Layer, _ query: FeatureQuery, _ scope: Scope) async throws -> FeaturePage {
        switch self {
        case .own: try await scope.features(layer, query)
        case .page(let secret): try await scope.publicPage(secret).features(query)
        }
    }

    /// - Throws: `Problem(.notFound)`, for an unknown feature as for one that the caller may not see.
    func feature(_ id: String, of layer: Layer, _ scope: Scope) async throws -> Feature {
        switch self {
        case .own: try await scope.feature(id, of: layer)
        case .page(let secret): try await scope.publicPage(secret).feature(id)
        }
    }
}
