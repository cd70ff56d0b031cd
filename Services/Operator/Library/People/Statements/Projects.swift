import Instants
import Postgres
import Store
import WaterQuality

/// Projects, with how much they have.
struct FindProjects: Statement {
    static let sql = """
        SELECT a.account_id, a.display_name, a.created_at,
            (SELECT count(*) FROM ownership o WHERE o.project_id = a.account_id AND o.account_id = a.account_id AND o.unlinked_at IS NULL),
            (SELECT count(*) FROM project_member m WHERE m.project_id = a.account_id)
        FROM account a WHERE a.kind = 'project' AND ($1::bigint IS NULL OR a.account_id = $1)
        ORDER BY a.display_name, a.account_id
        """

    struct Row: Sendable {
        var project: Account.ID
        var name: String
        var createdAt: Timestamp
        var devices: Int64
        var members: Int64
    }

    let project: Account.ID?
    init(only project: Account.ID?) { self.project = project }
    func bind(_ parameters: inout Parameters) { parameters.append(project) }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            project: row.read(), name: row.read(), createdAt: row.read(), devices: row.read(), members: row.read())
    }
}

/// The members of a project, in the order in which they joined.
struct FindProjectMembers: Statement {
    static let sql = """
        SELECT a.email, m.role, m.joined_at, m.ends_at FROM project_member m JOIN account a ON a.account_id = m.account_id
        WHERE m.project_id = $1
        ORDER BY m.joined_at, m.member_id
        """

    struct Row: Sendable {
        var email: String
        var role: Word<ProjectRole>
        var joinedAt: Timestamp
        var until: Timestamp?
    }

    let project: Account.ID
    init(of project: Account.ID) { self.project = project }
    func bind(_ parameters: inout Parameters) { parameters.append(project) }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(email: row.read(), role: row.read(), joinedAt: row.read(), until: row.read())
    }
}
