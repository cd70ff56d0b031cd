import Postgres
import WaterQuality

/// Whether the person who is named has a password.
struct HasPassword: Statement {
    static let sql = "SELECT has_password($1)"
    let account: Account.ID
    init(_ account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) { parameters.append(account) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Whether the operator lets an account be entered by its password at present, where the house takes none.
struct PasswordLetsIn: Statement {
    static let sql = "SELECT password_lets_in($1)"
    let account: Account.ID
    init(_ account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) { parameters.append(account) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
