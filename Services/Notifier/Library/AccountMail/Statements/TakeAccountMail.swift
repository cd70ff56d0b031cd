import Postgres

/// A mail about an account that is to be sent.
struct AccountMail: Sendable {
    var number: Int64
    var address: String
    var kind: String
    var locale: String
    /// The subject, such as the address that gets no more alerts.
    var subject: String?
}

/// Takes a mail that is due, for a minute; no row when none is.
struct TakeAccountMail: Statement {
    static let sql = "SELECT mail, address, what, in_language, about FROM take_account_mail($1)"
    /// The hash of the token that its link is to hold.
    let tokenHash: [UInt8]

    func bind(_ parameters: inout Parameters) { parameters.append(tokenHash) }

    static func decode(_ row: inout RowReader) throws -> AccountMail {
        try AccountMail(
            number: row.read(), address: row.read(), kind: row.read(), locale: row.read(), subject: row.read())
    }
}

/// Notes that a mail was sent.
struct NoteAccountMailSent: Statement {
    static let sql = "SELECT true FROM note_account_mail_sent($1)"
    let number: Int64

    func bind(_ parameters: inout Parameters) { parameters.append(number) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
