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
    /// The beginnings of addresses that programs also write with a slash behind them.
    private let roots: [String]

    /// The label of the web app in logs and metrics.
    static let appID = "app"

    /// - Parameters:
    ///   - standards: Interfaces that open standards define, below bases of their own.
    ///   - outside: Routes that are below no base, nor in a document.
    init(
        _ api: API<Caller>, standards: [API<Caller>] = [], pages: [(path: RoutePath, page: Resource.Page)],
        outside: [Route<Caller>] = [], app: WebApp? = nil
    ) {
        self.app = app
        roots = (standards.map(\.base) + [SensorThingsRoutes.base]).map { $0 + "/" }
        if app != nil { ids.append(Self.appID) }
        for api in [api] + standards {
            for route in api.routes { add(route.method, route.path.below(api.base), .route(route)) }
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
        guard let (resource, parameters) = table.match(withoutLastSlash(exchange.path)) else {
            guard let file = app?.file(for: exchange.request, path: exchange.path) else { return .nothing }
            let isRead = exchange.request.method == .get || exchange.request.method == .head
            return isRead ? .file(file) : .otherMethods(allowed: "GET, HEAD, OPTIONS")
        }
        guard let (action, values) = resource.action(exchange.request.method, parameters) else {
            return .otherMethods(allowed: resource.allowed)
        }
        return .action(action, path: values)
    }

    /// Clients of open standards add a slash to any address, and people to that of the page about the API.
    private func withoutLastSlash(_ path: Substring) -> Substring {
        path == "/api/" || path.hasSuffix("/") && roots.contains(where: path.hasPrefix) ? path.dropLast() : path
    }
}

extension RoutePath {
    fileprivate func below(_ base: String) -> RoutePath {
        RoutePath(stringLiteral: steps.isEmpty ? base : base + description)
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
