import HTTPTypes
import Instants
import Postgres
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality

/// Routes by which people come to take part in a project.
enum ProjectInvitationRoutes {
    static let all = [invite, list, revoke, look, join]

    private static let lifetime = Duration.seconds(7 * 86_400)

    /// A role that is offered: a project is handed over to somebody who takes part already.
    enum Offered: String, CaseIterable, Sendable {
        case administrator, keeper, viewer
        /// No part: the project receives the samples of whoever takes it up (addSampleReceiver).
        case sender
    }

    private static let role = Input.field(
        "role", .choice(Offered.self),
        "The role that it offers. Only an owner invites administrators. A sender takes no part: the project receives their samples."
    )
    private static let until = Input<Timestamp?>.optionalField(
        "until", .timestamp.example(.null), "When the part that it offers ends; it does not when this is missing.")

    private static let invite = Route<Caller>(
        .post, "/projects/{project}/invitations", id: "inviteMember", tag: ProjectRoutes.tag, access: .fresh,
        "Invite somebody to take part in a project",
        text: "Makes a link that works once, within seven days, as long as whoever made it might make it.",
        inputs: [ProjectInputs.project, role, until, Input<String?>.idempotencyKey],
        answers: .json(.created, .madeProjectInvitation), problems: [.notFound, .ownersOnly, .tooManyInvitations],
        creates: { caller, inputs, encoding in
            let project = inputs[ProjectInputs.project]
            if let end = inputs[until], end <= caller.scope.services.clock.now() + .seconds(60) {
                throw Problem(until, .notFuture)
            }
            let token = ProjectInvitationToken.generate()
            let link = "\(caller.scope.services.origin.text)/join#\(token.text)"
            let add = InviteToProject(
                project: project, tokenHash: token.hash,
                role: inputs[role], until: inputs[until], lifetime: lifetime)
            return try await caller.scope.creation(encoding) { transaction, _ in
                let made = try transaction.execute(add)[0]
                switch made.outcome {
                case .made: break
                case .unknown: throw Problem(.notFound)
                case .refused: throw Problem(.ownersOnly)
                case .full: throw Problem(.tooManyInvitations)
                }
                let all = try transaction.execute(ListProjectInvitations(to: project))
                guard let invitation = all.first(where: { $0.id == made.invitation }) else { throw Problem(.notFound) }
                return .value(MadeProjectInvitation(invitation: invitation, token: token, link: link))
            }
        })

    private static let list = Route<Caller>(
        .get, "/projects/{project}/invitations", id: "listProjectInvitations", tag: ProjectRoutes.tag, access: .read,
        "List the invitations to a project",
        text: "Newest first, without their links; for its owners and administrators.",
        inputs: [ProjectInputs.project], answers: .json(.ok, .list(of: .projectInvitation)),
        problems: [.notFound, .administratorsOnly]
    ) { caller, inputs in
        let id = inputs[ProjectInputs.project]
        return try await caller.scope.transaction { transaction, _ in
            try transaction.project(id).requireAdministrator()
            return .value(try transaction.execute(ListProjectInvitations(to: id)))
        }
    }

    private static let invitation = Input.path(
        "projectInvitation", Format<ProjectInvitationID>.id, "The id of the invitation.")

    private static let revoke = Route<Caller>(
        .delete, "/projects/{project}/invitations/{projectInvitation}", id: "revokeProjectInvitation",
        tag: ProjectRoutes.tag, access: .write, "Take an invitation to a project back",
        text: "Whoever has joined by it stays.",
        inputs: [ProjectInputs.project, invitation], answers: .nothing, problems: [.notFound, .administratorsOnly]
    ) { caller, inputs in
        let revoke = RevokeProjectInvitation(
            project: inputs[ProjectInputs.project], invitation: inputs[invitation])
        return try await caller.scope.transaction { transaction, _ in
            try transaction.project(revoke.project).requireAdministrator()
            guard try transaction.execute(revoke)[0] else { throw Problem(.notFound) }
            return .nothing
        }
    }

    private static let token = Input<ProjectInvitationToken>.linkToken()

    private static let look = Route<Caller>(
        .post, "/projects/invitations/look", id: "lookAtProjectInvitation", tag: ProjectRoutes.tag, access: .anyone,
        "Look at an invitation to a project", text: "Shows what it offers, and by whom.",
        inputs: [token], answers: .json(.ok, .projectOffer), problems: [.invitationUnknown], limit: .credentials
    ) { caller, inputs in
        let hash = inputs[token].hash
        return try await caller.withInvitationGuess {
            try await caller.scope.anonymousTransaction { transaction in
                guard let offer = try transaction.execute(LookAtProjectInvitation(tokenHash: hash)).first else {
                    throw Problem(.invitationUnknown)
                }
                return .value(offer)
            }
        }
    }

    private static let join = Route<Caller>(
        .post, "/projects/join", id: "joinProject", tag: ProjectRoutes.tag, access: .write, "Join a project",
        text: """
            The person sees each of its devices from then on, with what these measured, and with the project's limits until they set their own. The \
            other members see the person's name.
            """,
        inputs: [token, Input<String?>.idempotencyKey],
        answers: .json(.created, .project, headers: [.eTag, .location]),
        problems: [
            .invitationUnknown, .invitationUsed, .invitationExpired, .alreadyMember, .tooManyMembers, .tooManyProjects,
        ], limit: .credentials,
        creates: { caller, inputs, encoding in
            let hash = inputs[token].hash
            return try await caller.withInvitationGuess {
                try await caller.scope.creation(encoding) { transaction, _ in
                    let joined = try transaction.execute(JoinProject(tokenHash: hash))[0]
                    if let problem = joined.outcome.problem { throw Problem(problem) }
                    guard let project = joined.project else { throw Problem(.invitationUnknown) }
                    return try transaction.project(project).created()
                }
            }
        })
}

extension PersonProject {
    /// - Throws: `Problem(.administratorsOnly)`.
    fileprivate func requireAdministrator() throws(Problem) {
        guard role == .known(.owner) || role == .known(.administrator) else { throw Problem(.administratorsOnly) }
    }
}

extension JoinProject.Outcome {
    fileprivate var problem: ProblemType? {
        switch self {
        case .joined: nil
        case .unknown: .invitationUnknown
        case .used: .invitationUsed
        case .expired: .invitationExpired
        case .member: .alreadyMember
        case .full: .tooManyMembers
        case .tooMany: .tooManyProjects
        }
    }
}
