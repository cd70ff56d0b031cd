import HTTPTypes
import Postgres
import Routes

extension Scope {
    /// Notes that the caller had no right to what a request was to change, in a transaction of its own: the request's is
    /// undone. Nothing is noted of nobody, and of whoever has signed out meanwhile. A failure changes no answer.
    func noteRefusal(of route: Route<Caller>, by problem: Problem) async {
        guard route.method != .get, problem.type.isOfRights else { return }
        let refusal = NoteRefusal(route: route.id, problem: problem.type.code)
        _ = try? await anonymousTransaction { transaction in
            switch credential {
            case .nobody: return
            case .session(let id):
                guard try !transaction.execute(EnterSession(id)).isEmpty else { return }
            case .personalToken(let hash):
                guard try !transaction.execute(EnterToken(hash: hash)).isEmpty else { return }
            }
            try transaction.perform(refusal)
        }
    }
}

extension ProblemType {
    /// Whether the caller is refused for who they are. Asking for the password once more refuses nobody.
    fileprivate var isOfRights: Bool { status == .forbidden && self != .passwordNeeded && self != .crossOrigin }
}
