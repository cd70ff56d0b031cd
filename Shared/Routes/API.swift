/// All routes of a service, and the document's words about them as a whole.
package struct API<Caller: Sendable>: Sendable {
    package struct Tag: Hashable, Sendable {
        package let name: String
        package let text: String

        package init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    package var title: String
    package let text: String
    /// The version of the interface, not of the program.
    package let version: String
    /// The beginning of every path: `/api/v1`.
    package let base: String
    /// The tags in the order of the page.
    package let tags: [Tag]
    package let routes: [Route<Caller>]

    package init(
        title: String, text: String = "", version: String, base: String, tags: [Tag], routes: [Route<Caller>]
    ) {
        self.title = title
        self.text = text
        self.version = version
        self.base = base
        self.tags = tags
        self.routes = routes
        checkDeclarations()
    }

    /// All kinds of problems that routes answer with, the generic ones first.
    package var problems: [ProblemType] {
        var seen = Set(ProblemType.generic)
        return ProblemType.generic + routes.flatMap(\.problems).filter { seen.insert($0).inserted }
    }

    private func checkDeclarations() {
        let ids = routes.map(\.id)
        precondition(Set(ids).count == ids.count, "Two routes have one id.")
        let places = routes.map { "\($0.method) " + $0.path.shape }
        precondition(Set(places).count == places.count, "Two routes have one method and path.")
        let names = Set(tags.map(\.name))
        for route in routes { precondition(names.contains(route.tag), "\(route.id): no tag \(route.tag).") }
        let codes = problems.map(\.code)
        precondition(Set(codes).count == codes.count, "Two kinds of problem have one code.")
    }
}

extension RoutePath {
    /// The path with its parameters' names removed: two paths of one shape match the same requests.
    fileprivate var shape: String {
        steps.map { if case .name(let name) = $0 { "/" + name } else { "/{}" } }.joined()
    }
}
