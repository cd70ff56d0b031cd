import Postgres

/// Asks for a link by which the person of an address in lower case sets a new password. It does not tell whether there is such a person.
struct AskPasswordReset: Statement {
    static let sql = "SELECT true FROM ask_password_reset($1, $2)"
    let email: String
    let locale: String

    func bind(_ parameters: inout Parameters) {
        parameters.append(email)
        parameters.append(locale)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Finds the address whose password a link sets; no row when the link is over, was used, or never was.
struct LookAtPasswordReset: Statement {
    static let sql = "SELECT look_at_password_reset($1)"
    let tokenHash: [UInt8]

    func bind(_ parameters: inout Parameters) { parameters.append(tokenHash) }
    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}

/// Sets the password of a link's person, and ends their sessions and tokens; false where the link is of no use any more.
struct ResetPassword: Statement {
    static let sql = "SELECT reset_password($1, $2)"
    let tokenHash: [UInt8]
    let passwordHash: String

    func bind(_ parameters: inout Parameters) {
        parameters.append(tokenHash)
        parameters.append(passwordHash)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
