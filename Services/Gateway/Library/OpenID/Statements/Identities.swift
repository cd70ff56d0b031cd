import Instants
import Postgres
import Store
import WaterQuality

/// A person's identity at a provider.
struct Identity: Hashable, Sendable {
    var issuer: String
    var subject: String
    /// The provider's name of the person, for them to recognise.
    var name: String?
}

/// An identity that is linked to an account.
struct IdentityID: RowUUID {
    let rawValue: UInt128
}

/// Takes a sign-in that comes back from the provider, once; false for one that has come back before.
struct ReturnSignIn: Statement {
    static let sql = "SELECT return_sign_in($1)"
    let stateHash: [UInt8]
    func bind(_ parameters: inout Parameters) { parameters.append(stateHash) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Opens a session for the person of an identity, and names them for the rest of the transaction; no row where nobody has it.
struct OpenSessionByIdentity: Statement {
    static let sql = "SELECT account, opened FROM open_session_by_identity($1, $2, $3, $4, $5, $6, $7, $8, $9)"

    struct Row: Sendable {
        var account: Account.ID
        var session: SessionID
    }

    let identity: Identity
    let client: SessionClient
    let refreshTokenHash: [UInt8]
    /// The provider's own session (`sid`).
    let providerSession: String?
    /// When the person proved themselves to the provider; nil where it does not say, and the session is not fresh.
    let authenticatedAt: Timestamp?

    func bind(_ parameters: inout Parameters) {
        parameters.append(identity.issuer)
        parameters.append(identity.subject)
        parameters.append(identity.name)
        parameters.append(client.id)
        parameters.append(client.storedName)
        parameters.append(client.address)
        parameters.append(refreshTokenHash)
        parameters.append(providerSession)
        parameters.append(authenticatedAt)
    }

    static func decode(_ row: inout RowReader) throws -> Row { try Row(account: row.read(), session: row.read()) }
}

/// Opens an account without a password for an identity.
struct OpenAccountByIdentity: Statement {
    static let sql = "SELECT open_account_by_identity($1, $2, $3, $4, $5, $6)"

    enum Outcome: String, Sendable {
        case opened
        /// The address, or the identity, has an account.
        case taken
    }

    let identity: Identity
    /// In lower case.
    let email: String
    let locale: String
    let timeZone: String

    func bind(_ parameters: inout Parameters) {
        parameters.append(identity.issuer)
        parameters.append(identity.subject)
        parameters.append(identity.name)
        parameters.append(email)
        parameters.append(locale)
        parameters.append(timeZone)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// Links an identity to a person.
struct LinkIdentity: Statement {
    static let sql = "SELECT link_identity($1, $2, $3, $4)"

    enum Outcome: String, Sendable {
        /// Also where it was before.
        case linked
        /// The identity is linked to another account.
        case other
        /// The person has as many as anybody may.
        case full
    }

    let account: Account.ID
    let identity: Identity

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(identity.issuer)
        parameters.append(identity.subject)
        parameters.append(identity.name)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// Unlinks an identity, and ends the sessions that it opened.
struct UnlinkIdentity: Statement {
    static let sql = "SELECT unlink_identity($1, $2, $3, $4)"

    enum Outcome: String, Sendable {
        case unlinked
        /// Nothing else lets the person in.
        case last
        case unknown
    }

    let account: Account.ID
    let identity: IdentityID
    /// The provider in use: identities at another let nobody in.
    let issuer: String
    let takesPasswords: Bool

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(identity)
        parameters.append(issuer)
        parameters.append(takesPasswords)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// Notes when a person proved themselves to their provider, for a session. False where the identity is not theirs, or the session has ended.
struct ProveSessionByIdentity: Statement {
    static let sql = "SELECT prove_session_by_identity($1, $2, $3, $4, $5)"
    let account: Account.ID
    let session: SessionID
    let identity: Identity
    let authenticatedAt: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(session)
        parameters.append(identity.issuer)
        parameters.append(identity.subject)
        parameters.append(authenticatedAt)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Ends the sessions that a provider opened and has ended itself; how many.
struct EndSessionsByProvider: Statement {
    static let sql = "SELECT end_sessions_by_provider($1, $2, $3, $4)"
    let logout: ProviderLogout
    init(_ logout: ProviderLogout) { self.logout = logout }

    func bind(_ parameters: inout Parameters) {
        parameters.append(logout.issuer)
        parameters.append(logout.subject)
        parameters.append(logout.session)
        parameters.append(logout.before)
    }

    static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}

/// The issuer of the identity that opened a session, as tokens spell it; no row where none did.
struct FindOpeningIssuer: Statement {
    static let sql = """
        SELECT i.issuer FROM session s JOIN account_identity i ON i.identity_id = s.identity_id
        WHERE s.session_id = $1 AND s.account_id = $2 AND i.account_id = $2
        """
    let session: SessionID
    let account: Account.ID

    init(of session: SessionID, account: Account.ID) {
        self.session = session
        self.account = account
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(session)
        parameters.append(account)
    }

    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
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

/// A person's identities, the oldest first; five at most.
struct ListIdentities: Statement {
    static let sql = """
        SELECT identity_id, issuer, name, created_at, used_at FROM account_identity
        WHERE account_id = $1 ORDER BY created_at, identity_id
        """

    struct Row: Sendable {
        var id: IdentityID
        var issuer: String
        var name: String?
        var createdAt: Timestamp
        var usedAt: Timestamp
    }

    let account: Account.ID
    init(of account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) { parameters.append(account) }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            id: row.read(), issuer: row.read(), name: row.read(), createdAt: row.read(), usedAt: row.read())
    }
}
