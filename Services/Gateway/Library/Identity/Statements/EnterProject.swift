import Postgres
import Store
import WaterQuality

/// Has the person act for a project for the rest of the transaction, where they are its owner or an administrator. The result is their role; `nil`:
/// they do not take part.
struct ActForProject: Statement {
    static let sql = "SELECT act_for_project($1)"
    let project: Account.ID
    init(_ project: Account.ID) { self.project = project }
    func bind(_ parameters: inout Parameters) { parameters.append(project) }
    static func decode(_ row: inout RowReader) throws -> Word<ProjectRole>? { try row.read() }
}

/// Whether the account for which the transaction acts is a project's.
struct IsProject: Statement {
    static let sql = "SELECT EXISTS (SELECT FROM account WHERE account_id = $1 AND kind = 'project')"
    let account: Account.ID
    init(_ account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) { parameters.append(account) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
