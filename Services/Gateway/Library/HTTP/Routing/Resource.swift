import HTTPTypes
import Routes
import Words

/// The actions under one path: a route or a page for each method.
struct Resource: Sendable {
    enum Action: Sendable {
        case route(Route<Caller>)
        case page(Page)
    }

    /// A page that anybody may read, made without the database.
    struct Page: Sendable {
        /// The label in logs and metrics.
        let id: String
        /// - Returns: nil when there is no such page.
        let answer: @Sendable (Language, [String: String]) -> RawAnswer?
    }

    private(set) var actions: [HTTPRequest.Method: (action: Action, parameters: [String])] = [:]

    mutating func add(_ method: HTTPRequest.Method, _ path: RoutePath, _ action: Action) {
        precondition(actions[method] == nil, "a path has one action for each method")
        actions[method] = (action, path.parameters)
    }

    /// The action for a method, and its path's parameters by name. HEAD has the action of GET, without the body.
    func action(_ method: HTTPRequest.Method, _ parameters: [String]) -> (action: Action, path: [String: String])? {
        guard let found = actions[method] ?? (method == .head ? actions[.get] : nil) else { return nil }
        return (found.action, Dictionary(zip(found.parameters, parameters)) { first, _ in first })
    }

    /// The methods, as the header `Allow` lists them.
    var allowed: String {
        var methods = Set(actions.keys.map(\.rawValue))
        if methods.contains("GET") { methods.insert("HEAD") }
        methods.insert("OPTIONS")
        return methods.sorted().joined(separator: ", ")
    }
}

extension Resource.Action {
    var id: String {
        switch self {
        case .route(let route): route.id
        case .page(let page): page.id
        }
    }
}
