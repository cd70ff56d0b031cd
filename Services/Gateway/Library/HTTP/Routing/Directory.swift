import HTTPTypes
import Routes

/// Everything that can be asked for: the routes of the API and the pages about it.
struct Directory: Sendable {
    enum Found: Sendable {
        case action(Resource.Action, path: [String: String])
        /// The path is there, and has no such method; OPTIONS asks for nothing else.
        case otherMethods(allowed: String)
        case nothing
    }

    private var table = PathTable<Resource>()
    private(set) var ids: [String] = []

    init(_ api: API<Caller>, pages: [(path: RoutePath, page: Resource.Page)]) {
        for route in api.routes {
            add(route.method, RoutePath(stringLiteral: api.base + route.path.description), .route(route))
        }
        for (path, page) in pages { add(.get, path, .page(page)) }
    }

    private mutating func add(_ method: HTTPRequest.Method, _ path: RoutePath, _ action: Resource.Action) {
        ids.append(action.id)
        table.update(path) { resource in
            var changed = resource ?? Resource()
            changed.add(method, path, action)
            resource = changed
        }
    }

    func find(_ exchange: Exchange) -> Found {
        // The page about the API stands under `/api/`, as people write it.
        let path = exchange.path == "/api/" ? "/api" : exchange.path
        guard let (resource, parameters) = table.match(path) else { return .nothing }
        guard let (action, values) = resource.action(exchange.request.method, parameters) else {
            return .otherMethods(allowed: resource.allowed)
        }
        return .action(action, path: values)
    }
}

extension Directory.Found {
    var action: Resource.Action? {
        if case .action(let action, _) = self { action } else { nil }
    }
}

extension Resource.Action {
    var rate: RateClass {
        switch self {
        case .route(let route): route.limit
        case .page: .ordinary
        }
    }
}
