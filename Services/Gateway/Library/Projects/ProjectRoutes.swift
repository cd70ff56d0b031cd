import HTTPTypes
import People
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of projects: devices that several people keep together, none of whom they leave with.
enum ProjectRoutes {
    static let tag = "Projects"
    static let all =
        [list, create, show, change, dissolve] + MemberRoutes.all + ProjectInvitationRoutes.all
        + ProjectDeviceRoutes.all
        + ProjectLimitRoutes.all + ShiftRoutes.all

    private static let name = Input.field("name", .personName, "What it is called.")

    private static let list = Route<Caller>(
        .get, "/projects", id: "listProjects", tag: tag, access: .read, "List the projects in which I take part",
        text: "By their names.", answers: .json(.ok, .list(of: .project))
    ) { caller, _ in
        try await caller.scope.transaction { transaction, _ in .value(try transaction.execute(ListProjects())) }
    }

    private static let create = Route<Caller>(
        .post, "/projects", id: "createProject", tag: tag, access: .fresh, "Open a project",
        text: """
            The person is its owner. A project has devices, limits, a journal and displays as a person does, and stays when its members leave; with \
            the header Aqua-Project its owners and administrators do for it what they do for themselves. It is told nothing: each member has the \
            alarms of its devices by their own ways.
            """,
        inputs: [name, Input<String?>.idempotencyKey], answers: .json(.created, .project, headers: [.eTag, .location]),
        problems: [.tooManyProjects],
        creates: { caller, inputs, encoding in
            let name = inputs[name].text
            return try await caller.scope.creation(encoding) { transaction, _ in
                guard let project = try transaction.execute(CreateProject(name))[0] else {
                    throw Problem(.tooManyProjects)
                }
                return try transaction.project(project).created()
            }
        })

    private static let show = Route<Caller>(
        .get, "/projects/{project}", id: "showProject", tag: tag, access: .read, "Show a project",
        inputs: [ProjectInputs.project], answers: .json(.ok, .project, headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[ProjectInputs.project]
        return try await caller.scope.transaction { transaction, _ in try transaction.project(id).answer() }
    }

    private static let change = Route<Caller>(
        .patch, "/projects/{project}", id: "changeProject", tag: tag, access: .write, "Give a project another name",
        inputs: [ProjectInputs.project, Input<EntityTagCondition>.ifMatch, name],
        answers: .json(.ok, .project, headers: [.eTag]), problems: [.notFound, .administratorsOnly]
    ) { caller, inputs in
        let (id, name) = (inputs[ProjectInputs.project], inputs[name].text)
        let condition = inputs[Input<EntityTagCondition>.ifMatch]
        return try await caller.scope.acting(for: id).transaction { transaction, project in
            _ = try transaction.perform(LockAccount(project))
            try condition.requireMatch(try transaction.project(project).tag)
            _ = try transaction.perform(RenameProject(project: project, name: name))
            return try transaction.project(project).answer()
        }
    }

    private static let dissolve = Route<Caller>(
        .delete, "/projects/{project}", id: "dissolveProject", tag: tag, access: .fresh, "Dissolve a project",
        text: """
            Everything of it is erased, as of a person who closes their account, and each member is told. Devices that it still has get claim codes \
            that nobody knows: unlink them first where the codes matter, and where there are more than a hundred.
            """,
        inputs: [ProjectInputs.project], answers: .nothing, problems: [.notFound, .ownersOnly, .projectTooLarge]
    ) { caller, inputs in
        let id = inputs[ProjectInputs.project]
        return try await caller.scope.transaction { transaction, _ in
            switch try transaction.execute(DissolveProject(id))[0] {
            case .done: return .nothing
            case .unknown: throw Problem(.notFound)
            case .refused: throw Problem(.ownersOnly)
            case .tooLarge: throw Problem(.projectTooLarge)
            }
        }
    }
}
