package import Postgres
package import Store
package import WaterQuality

/// Names the person of a session for the rest of the transaction, which sees that person's rows from here on. No row
/// when the session has ended. The first statement of every transaction for a person.
package struct EnterSession: Statement {
    package static let sql = "SELECT account, locale FROM enter_session($1)"

    package struct Row: Sendable {
        package var account: Account.ID
        package var locale: String
    }

    let session: SessionID
    package init(_ session: SessionID) { self.session = session }
    package func bind(_ parameters: inout Parameters) { parameters.append(session) }
    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(account: row.read(), locale: row.read())
    }
}

/// Names the person of a personal token in the same way. No row for an unknown, revoked or expired token.
package struct EnterToken: Statement {
    package static let sql = "SELECT account, locale, token, scope FROM enter_token($1)"

    package struct Row: Sendable {
        package var account: Account.ID
        package var locale: String
        package var token: PersonalTokenID
        package var scope: Word<TokenScope>
    }

    let hash: [UInt8]
    package init(hash: [UInt8]) { self.hash = hash }
    package func bind(_ parameters: inout Parameters) { parameters.append(hash) }
    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(account: row.read(), locale: row.read(), token: row.read(), scope: row.read())
    }
}

/// The rights of a personal token.
package enum TokenScope: String, CaseIterable, Sendable {
    case read, write
    /// Samples of the field alone: the token's own, and those that others sent.
    case readSamples = "samples.read"
    /// The token's own samples of the field alone, as programs that load field data need.
    case writeSamples = "samples.write"
}
