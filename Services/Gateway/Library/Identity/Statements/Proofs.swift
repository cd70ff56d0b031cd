import Postgres
import Store
import WaterQuality

/// Names the session that the transaction's person uses, so that whatever is made from here on is known to be made in
/// it. The result is whether the person gave their password in it within the last ten minutes; `nil` when it is not
/// theirs, or has ended.
struct NameSession: Statement {
    static let sql = "SELECT name_session($1)"
    let session: SessionID
    init(_ session: SessionID) { self.session = session }
    func bind(_ parameters: inout Parameters) { parameters.append(session) }
    static func decode(_ row: inout RowReader) throws -> Bool? { try row.read() }
}

/// Notes that a person gave their password in a session. False when the checked password is not theirs any more, or the
/// session has ended.
struct ProveSession: Statement {
    static let sql = "SELECT prove_session($1, $2, $3)"
    let account: Account.ID
    let session: SessionID
    let checkedHash: String

    /// - Parameter checkedHash: The hash that the password was checked against.
    init(_ account: Account.ID, _ session: SessionID, checkedHash: String) {
        self.account = account
        self.session = session
        self.checkedHash = checkedHash
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(session)
        parameters.append(checkedHash)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
