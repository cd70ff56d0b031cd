import HTTPTypes
import Routes

/// Everything that can be requested: the routes of the API, the pages about it, and the web app.
struct Directory: Sendable {
    enum Found: Sendable {
        case action(Resource.Action, path: [String: String])
        /// A file of the web app.
        case file(AppFile)
        /// The path exists, but not for this method; also for OPTIONS, which asks for the methods.
        case otherMethods(allowed: String)
        case nothing
    }

    private var table = PathTable<Resource>()
    private(set) var ids: [String] = []
    private let app: WebApp?

    /// The label of the web app in logs and metrics.
    static let appID = "app"

    /// - Parameter outside: Routes that are not below the API's base, nor in its document.
    init(
        _ api: API<Caller>, pages: [(path: RoutePath, page: Resource.Page)], outside: [Route<Caller>] = [],
        app: WebApp? = nil
    ) {
        self.app = app
        if app != nil { ids.append(Self.appID) }
        for route in api.routes {
            add(route.method, RoutePath(stringLiteral: api.base + route.path.description), .route(route))
        }
        for route in outside { add(route.method, route.path, .route(route)) }
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
        // The page about the API is also under `/api/`, as people write it.
        let path = exchange.path == "/api/" ? "/api" : exchange.path
        guard let (resource, parameters) = table.match(path) else {
            guard let file = app?.file(for: exchange.request, path: exchange.path) else { return .nothing }
            let isRead = exchange.request.method == .get || exchange.request.method == .head
            return isRead ? .file(file) : .otherMethods(allowed: "GET, HEAD, OPTIONS")
        }
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

    /// The label in logs and metrics; nil where nothing was found.
    var id: String? {
        if case .file = self { Directory.appID } else { action?.id }
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
