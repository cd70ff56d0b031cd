import HTTPTypes
import Postgres
import Routes

/// A refusal that may have come of a viewer's part: the schema refuses what viewers do as what nobody has, and the reason is looked for afterwards.
struct Refusal {
    init?(_ error: any Error) {
        switch error {
        case let problem as Problem where [.notFound, .ownerOnly].contains(problem.type): break
        case let error as PostgresError where error.code == .insufficientPrivilege: break
        default: return nil
        }
    }
}

extension Scope {
    /// Whether the person only looks at a device, or, where none is named, at any.
    func onlyLooks(_ device: String?) async throws -> Bool {
        guard access != .anyone else { return false }
        return try await transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            try transaction.execute(OnlyLooks(at: device))[0]
        }
    }
}

extension Route {
    /// The same route with the problem of whoever only looks at a device, where it changes something of the one that its path names. Routes that change
    /// something of a device without such a path declare the problem themselves.
    func refusingViewers() -> Route {
        method == .get || access == .anyone || !path.parameters.contains("device")
            ? self : taking(problems: [.viewersOnlyLook])
    }
}
