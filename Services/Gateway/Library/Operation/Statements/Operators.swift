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

/// Takes the provider's word on whether the named person operates the installation. It holds in that session, which the provider opened.
struct TakeProvidersWord: Statement {
    static let sql = "SELECT take_providers_word($1, $2, $3, $4)"
    let session: SessionID
    let identity: Identity
    let isOperator: Bool

    func bind(_ parameters: inout Parameters) {
        parameters.append(session)
        parameters.append(identity.issuer)
        parameters.append(identity.subject)
        parameters.append(isOperator)
    }
}

/// Ends all sessions of a person, whose alerts go on. The number that ended; `nil`: nobody has the address.
struct EndSessionsAsOperator: Statement {
    static let sql = "SELECT end_sessions_as_operator($1)"
    /// In lower case.
    let email: String
    func bind(_ parameters: inout Parameters) { parameters.append(email) }
    static func decode(_ row: inout RowReader) throws -> Int32? { try row.read() }
}
