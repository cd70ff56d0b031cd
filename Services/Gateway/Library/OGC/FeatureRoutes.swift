import HTTPTypes
import Instants
import Routes

/// The routes of a kind of root, all alike.
struct FeatureRoutes: Sendable {
    /// Of what the caller may see.
    static let own = FeatureRoutes(prefix: "", id: "ogc", access: .read, layers: Layer.allCases) { _ in .own }

    /// Of public pages, for whoever has the address.
    static let pages = FeatureRoutes(
        prefix: "/public/{page}", id: "ogcPage", access: .anyone, layers: PublicPage.layers,
        inputs: [FeatureInputs.page]
    ) { .page(secret: $0[FeatureInputs.page]) }

    private let prefix: String
    /// The beginning of the routes' ids.
    private let id: String
    private let access: Access
    private let layers: [Layer]
    private let inputs: [any InputDeclaration]
    private let root: @Sendable (Inputs) -> FeatureRoot

    private init(
        prefix: String, id: String, access: Access, layers: [Layer], inputs: [any InputDeclaration] = [],
        root: @escaping @Sendable (Inputs) -> FeatureRoot
    ) {
        (self.prefix, self.id, self.access, self.layers) = (prefix, id, access, layers)
        (self.inputs, self.root) = (inputs, root)
    }

    var all: [Route<Caller>] { descriptions + layers.flatMap(routes) }

    /// What describes the root tells nothing of anybody, so that programs read it before they are asked who they are.
    private var descriptions: [Route<Caller>] {
        let (json, object) = (FeatureExchange.json, Schema(["type": "object"], example: [:]))
        return [
            route("", "Landing", .anyone, "Begin here", json, object) { exchange, _ in
                try await exchange.root.find(exchange.scope)
                return exchange.landing()
            },
            route("/conformance", "Conformance", .anyone, "List the classes of the standard", json, object) {
                exchange, _ in
                try await exchange.root.find(exchange.scope)
                return exchange.conformance()
            },
            route("/api", "Description", .anyone, "Describe this for programs", FeatureDocument.mediaType, object) {
                exchange, _ in
                try await exchange.root.find(exchange.scope)
                return exchange.description()
            },
            route("/collections", "Collections", access, "List the collections", json, object) { exchange, _ in
                try await exchange.root.enter(exchange.scope)
                return exchange.collections()
            },
        ]
    }

    private func routes(_ layer: Layer) -> [Route<Caller>] {
        let (path, name) = (layer.path, layer.rawValue)
        let suffix = name.prefix(1).uppercased() + name.dropFirst()
        let schema = layer.schema(root: prefix.isEmpty ? .own : .page(secret: ""))
        return [
            route(
                path, suffix, access, "Show the collection \(name)", FeatureExchange.json,
                Schema(["type": "object"], example: [:])
            ) { exchange, _ in
                try await exchange.root.enter(exchange.scope)
                return exchange.collection(layer)
            },
            route(
                "\(path)/items", "\(suffix)Items", access, "Page through \(name)", FeatureExchange.geoJSON,
                Layer.schemaOfPage(schema), inputs: FeatureInputs.ofPage, limit: .heavy
            ) { exchange, inputs in
                let query = FeatureInputs.query(inputs)
                let page = try await exchange.root.features(layer, query, exchange.scope)
                return exchange.items(page, of: layer, query, now: exchange.scope.services.clock.now())
            },
            route(
                "\(path)/items/{featureId}", "\(suffix)Item", access, "Show one of \(name)", FeatureExchange.geoJSON,
                Schema(schema, example: Layer.example), inputs: [FeatureInputs.feature, FeatureInputs.crs],
                limit: .heavy
            ) { exchange, inputs in
                exchange.item(
                    try await exchange.root.feature(inputs[FeatureInputs.feature], of: layer, exchange.scope), of: layer
                )
            },
        ]
    }

    private func route(
        _ path: String, _ name: String, _ access: Access, _ summary: String, _ mediaType: String, _ schema: Schema,
        inputs own: [any InputDeclaration] = [], limit: RateClass = .ordinary,
        handle: @escaping @Sendable (FeatureExchange, Inputs) async throws -> Answer<[UInt8]>
    ) -> Route<Caller> {
        let full = prefix + path
        let route: Route<Caller> = Route(
            .get, RoutePath(stringLiteral: full.isEmpty ? "/" : full), id: id + name, tag: OGCFeatures.tag,
            access: access, summary, inputs: inputs + own + [FeatureInputs.form],
            answers: .written(as: mediaType, schema, or: [FeatureExchange.html], "The document."), limit: limit,
            handle: { [root] caller, inputs in
                try await handle(FeatureExchange(caller, inputs, root(inputs)), inputs)
            }
        ).refusingFaults(as: .invalidParameter)
        return access == .read ? route.takingTokenAsPassword().forProjects() : route
    }
}
