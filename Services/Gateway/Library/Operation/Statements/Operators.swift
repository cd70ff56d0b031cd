import Postgres
import Store

/// Whether the named person operates the installation in a session of theirs.
struct Operates: Statement {
    static let sql = "SELECT operates($1)"
    let session: SessionID
    init(in session: SessionID) { self.session = session }
    func bind(_ parameters: inout Parameters) { parameters.append(session) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Ends all sessions of a person, whose alerts go on. The number that ended; `nil`: nobody has the address.
struct EndSessionsAsOperator: Statement {
    static let sql = "SELECT end_sessions_as_operator($1)"
    /// In lower case.
    let email: String
    func bind(_ parameters: inout Parameters) { parameters.append(email) }
    static func decode(_ row: inout RowReader) throws -> Int32? { try row.read() }
}
