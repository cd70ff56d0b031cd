import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of who takes part in a project.
enum MemberRoutes {
    static let all = [list, change, remove]

    private static let list = Route<Caller>(
        .get, "/projects/{project}/members", id: "listMembers", tag: ProjectRoutes.tag, access: .read,
        "List who takes part in a project", text: "In the order in which they joined.",
        inputs: [ProjectInputs.project], answers: .json(.ok, .list(of: .member)), problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[ProjectInputs.project]
        return try await caller.scope.transaction { transaction, _ in
            .value(try transaction.execute(ListMembers(of: try transaction.project(id).id)))
        }
    }

    private static let role = Input.optionalField(
        "role", .choice(ProjectRole.self),
        "Their role from now on. Administrators make keepers and viewers of each other alone.")
    private static let until = Input.change(
        "until", Format<Timestamp>.timestamp.example(.null),
        "When their part ends; null: it does not. An owner's never does.")

    private static let change = Route<Caller>(
        .patch, "/projects/{project}/members/{member}", id: "changeMember", tag: ProjectRoutes.tag, access: .fresh,
        "Change the role of a member, or when their part ends",
        text: """
            Owners change anybody's part, and hand the project over by making another owner. A viewer looks and does nothing else; a keeper answers \
            alarms, cares for the water and has limits of their own; an administrator acts as the project.
            """,
        inputs: [ProjectInputs.project, ProjectInputs.member, role, until], answers: .nothing,
        problems: [.notFound, .ownersOnly, .lastOwner]
    ) { caller, inputs in
        let until = inputs[until]
        var end: Timestamp?
        if case .set(let time) = until {
            guard time > caller.scope.services.clock.now() + .seconds(60) else { throw Problem(Self.until, .notFuture) }
            end = time
        }
        let change = ChangeMember(
            project: inputs[ProjectInputs.project], member: inputs[ProjectInputs.member], role: inputs[role],
            changesEnd: until.isGiven, until: end)
        return try await caller.scope.transaction { transaction, _ in
            try transaction.execute(change)[0].check()
            return .nothing
        }
    }

    private static let remove = Route<Caller>(
        .delete, "/projects/{project}/members/{member}", id: "removeMember", tag: ProjectRoutes.tag, access: .fresh,
        "Remove a member, or leave a project",
        text: """
            They no longer see its devices or what these measured, and their alerts on their way are cancelled. What they wrote stays the project's. \
            The last owner hands the project over first, or dissolves it.
            """,
        inputs: [ProjectInputs.project, ProjectInputs.member], answers: .nothing,
        problems: [.notFound, .ownersOnly, .lastOwner]
    ) { caller, inputs in
        let end = EndMembership(project: inputs[ProjectInputs.project], member: inputs[ProjectInputs.member])
        return try await caller.scope.transaction { transaction, _ in
            try transaction.execute(end)[0].check()
            return .nothing
        }
    }
}

extension MemberOutcome {
    fileprivate func check() throws {
        switch self {
        case .done: break
        case .unknown: throw Problem(.notFound)
        case .refused: throw Problem(.ownersOnly)
        case .lastOwner: throw Problem(.lastOwner)
        }
    }
}

extension Change {
    fileprivate var isGiven: Bool { if case .unchanged = self { false } else { true } }
}
