import HTTPTypes
import Routes
import WaterQuality

/// For whom a request may act beside the person who calls.
enum Acting: Hashable, Sendable {
    /// The route is about the person: it takes no project, nor a project's own token.
    case oneself
    /// The route serves people and projects alike, and no project is named.
    case anybody
    /// A project, whose owner or administrator the person has to be.
    case project(Account.ID)
}

extension HTTPField.Name {
    /// Names the project for which a request acts.
    static let project = HTTPField.Name("Aqua-Project")!
}

extension Route {
    /// The same route for people and for projects alike: its handler takes the account of the transaction for what it is about, and never asks who
    /// calls.
    func forProjects() -> Route {
        taking([projectHeader], problems: [.notFound, .insufficientScope, .administratorsOnly])
    }

    fileprivate var servesProjects: Bool { inputs.contains { $0.name == projectHeader.name } }
}

extension [Route<Caller>] {
    func forProjects() -> [Route<Caller>] { map { $0.forProjects() } }
}

private let projectHeader: Input<Account.ID?> = .optionalHeader(
    .project, .projectID,
    "A project for which the person acts, as its owner or an administrator: everything is then the project's. Only in a session; a project has tokens "
        + "of its own.")

extension Acting {
    /// - Throws: `Problem(.notForProjects)` where the route takes no project; `Problem(.notFound)` for what is no project's id.
    init(_ route: Route<Caller>, _ headers: HTTPFields) throws(Problem) {
        guard let text = headers[.project] else {
            self = route.servesProjects ? .anybody : .oneself
            return
        }
        guard route.servesProjects else { throw Problem(.notForProjects) }
        guard let project = try? Format<Account.ID>.projectID.readText(text) else { throw Problem(.notFound) }
        self = .project(project)
    }
}

extension Format where Value == Account.ID {
    static var projectID: Format {
        Format<Int64>.reading("project id", example: "42", count: 1...19, pattern: "^[0-9]+$") { text throws(Fault) in
            guard let id = Int64(text), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { throw .pattern }
            return id
        }.map { (id: Int64) throws(Fault) in Account.ID(rawValue: id) }
    }
}

extension ProblemType {
    static let notForProjects = ProblemType("not-for-projects", .badRequest)
    static let administratorsOnly = ProblemType("administrators-only", .forbidden)
}
