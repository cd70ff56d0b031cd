package import Postgres
package import WaterQuality

/// Names the session of the person who is named, so that what is made from here on is known to be made in it. The result is whether
/// the person gave their password in it within the last ten minutes; `nil` when it is not theirs, or has ended.
package struct NameSession: Statement {
    package static let sql = "SELECT name_session($1)"
    let session: SessionID
    package init(_ session: SessionID) { self.session = session }
    package func bind(_ parameters: inout Parameters) { parameters.append(session) }
    package static func decode(_ row: inout RowReader) throws -> Bool? { try row.read() }
}

/// Notes that a person gave their password in a session. False when it is not the checked one any more, or the session has ended.
package struct ProveSession: Statement {
    package static let sql = "SELECT prove_session($1, $2, $3)"
    let account: Account.ID
    let session: SessionID
    let checkedHash: String

    /// - Parameter checkedHash: The hash that the password was checked against.
    package init(_ account: Account.ID, _ session: SessionID, checkedHash: String) {
        self.account = account
        self.session = session
        self.checkedHash = checkedHash
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(session)
        parameters.append(checkedHash)
    }

    package static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
