import Instants
import Postgres
import Store
import WaterQuality

/// The members of a project, in the order in which they joined. No rows where whoever asks is none.
struct ListMembers: Statement {
    static let sql = """
        SELECT member_id, name, role, joined_at, ends_at, is_oneself FROM project_person WHERE project_id = $1
        ORDER BY joined_at, member_id
        """

    struct Row: Sendable {
        /// By which the others know them.
        var member: Int64
        var name: String
        var role: Word<ProjectRole>
        var joinedAt: Timestamp
        var until: Timestamp?
        var isOneself: Bool
    }

    let project: Account.ID
    init(of project: Account.ID) { self.project = project }
    func bind(_ parameters: inout Parameters) { parameters.append(project) }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            member: row.read(), name: row.read(), role: row.read(), joinedAt: row.read(), until: row.read(),
            isOneself: row.read())
    }
}

/// The result of a change of somebody's part in a project.
enum MemberOutcome: String, CaseIterable, Sendable {
    case done
    /// There is no such member, or whoever asks does not take part.
    case unknown
    /// Only an owner may.
    case refused
    /// The project would be left without an owner.
    case lastOwner
}

/// Changes the role of a member, or when their part ends.
struct ChangeMember: Statement {
    static let sql = "SELECT change_member($1, $2, $3, $4, $5)"
    let project: Account.ID
    let member: Int64
    /// `nil`: as it is.
    let role: ProjectRole?
    let changesEnd: Bool
    /// `nil`: without end.
    let until: Timestamp?

    func bind(_ parameters: inout Parameters) {
        parameters.append(project)
        parameters.append(member)
        parameters.append(role)
        parameters.append(changesEnd)
        parameters.append(until)
    }

    static func decode(_ row: inout RowReader) throws -> MemberOutcome { try row.read() }
}

/// Ends a member's part, because they leave or are removed.
struct EndMembership: Statement {
    static let sql = "SELECT end_membership($1, $2)"
    let project: Account.ID
    let member: Int64
    func bind(_ parameters: inout Parameters) {
        parameters.append(project)
        parameters.append(member)
    }
    static func decode(_ row: inout RowReader) throws -> MemberOutcome { try row.read() }
}
