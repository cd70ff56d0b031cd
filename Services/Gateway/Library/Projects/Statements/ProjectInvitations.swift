import Instants
import Postgres
import Secrets
import Store
import WaterQuality

/// An offer to take part in a project.
struct ProjectInvitationID: RowUUID {
    let rawValue: UInt128
}

/// An invitation with the secret of its link, which is shown once.
struct MadeProjectInvitation: Sendable {
    let invitation: ListProjectInvitations.Row
    let token: ProjectInvitationToken
    let link: String
}

/// Adds an invitation by the named person.
struct InviteToProject: Statement {
    static let sql = "SELECT outcome, invitation FROM invite_to_project($1, $2, $3, $4, $5 * interval '1 us')"

    enum Outcome: String, CaseIterable, Sendable {
        case made
        /// The person does not take part.
        case unknown
        /// The role is beyond what they may invite for.
        case refused
        /// Fifty are open.
        case full
    }

    struct Row: Sendable {
        var outcome: Outcome
        var invitation: ProjectInvitationID?
    }

    let project: Account.ID
    let tokenHash: [UInt8]
    let role: ProjectInvitationRoutes.Offered
    let until: Timestamp?
    let lifetime: Duration

    func bind(_ parameters: inout Parameters) {
        parameters.append(project)
        parameters.append(tokenHash)
        parameters.append(role)
        parameters.append(until)
        parameters.append(lifetime.wholeMicroseconds)
    }

    static func decode(_ row: inout RowReader) throws -> Row { try Row(outcome: row.read(), invitation: row.read()) }
}

/// The invitations to a project, newest first. No rows for who may not act for it.
struct ListProjectInvitations: Statement {
    static let sql = """
        SELECT invitation_id, role, member_until, state, created_at, expires_at FROM person_project_invitation WHERE project_id = $1
        ORDER BY created_at DESC, invitation_id
        """

    struct Row: Sendable {
        var id: ProjectInvitationID
        var role: Word<ProjectRole>
        var until: Timestamp?
        var state: DeviceInvitation.State
        var createdAt: Timestamp
        var expiresAt: Timestamp
    }

    let project: Account.ID
    init(to project: Account.ID) { self.project = project }
    func bind(_ parameters: inout Parameters) { parameters.append(project) }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            id: row.read(), role: row.read(), until: row.read(), state: row.read(), createdAt: row.read(),
            expiresAt: row.read())
    }
}

/// Takes an invitation back. False: there is none, or the person may not.
struct RevokeProjectInvitation: Statement {
    static let sql = "SELECT revoke_project_invitation($1, $2)"
    let project: Account.ID
    let invitation: ProjectInvitationID
    func bind(_ parameters: inout Parameters) {
        parameters.append(project)
        parameters.append(invitation)
    }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// The content of an invitation; no row where there is none, or its maker might not make it any more.
struct LookAtProjectInvitation: Statement {
    static let sql =
        "SELECT name, maker, role, member_until, devices, expires_at, state FROM look_at_project_invitation($1)"

    struct Row: Sendable {
        var name: String
        /// The member who invites.
        var maker: String
        var role: Word<ProjectRole>
        var until: Timestamp?
        var devices: Int64
        var expiresAt: Timestamp
        var state: DeviceInvitation.State
    }

    let tokenHash: [UInt8]
    func bind(_ parameters: inout Parameters) { parameters.append(tokenHash) }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            name: row.read(), maker: row.read(), role: row.read(), until: row.read(), devices: row.read(),
            expiresAt: row.read(), state: row.read())
    }
}

/// Makes the named person a member by an invitation.
struct JoinProject: Statement {
    static let sql = "SELECT outcome, joined FROM join_project($1)"

    enum Outcome: String, CaseIterable, Sendable {
        case joined, unknown, used, expired
        /// The person takes part already.
        case member
        /// The project has as many members as it may have.
        case full
        /// The person takes part in as many projects as they may.
        case tooMany
    }

    struct Row: Sendable {
        var outcome: Outcome
        var project: Account.ID?
    }

    let tokenHash: [UInt8]
    func bind(_ parameters: inout Parameters) { parameters.append(tokenHash) }
    static func decode(_ row: inout RowReader) throws -> Row { try Row(outcome: row.read(), project: row.read()) }
}
