import Postgres
import Store
import WaterQuality

/// The client that signs in or renews a session.
struct SessionClient: Sendable {
    /// The installation; `nil` when it has no number. Signing out pauses the endpoints registered there.
    var id: ClientID?
    /// The client's name for itself; 120 characters are kept.
    var name: String
    /// The client's network.
    var address: String

    init(id: ClientID?, name: String, address: String) {
        self.id = id
        self.name = name
        self.address = address
    }

    var storedName: String { String(String.UnicodeScalarView(name.unicodeScalars.prefix(120))) }
}

/// Opens a session for a person whose password was checked, and names them for the rest of the transaction. No session
/// when the checked password is not theirs any more. A former session on the same client ends, and the client's
/// endpoints are resumed.
struct OpenSession: Statement {
    static let sql = "SELECT open_session($1, $2, $3, $4, $5, $6)"
    let account: Account.ID
    let checkedHash: String
    let client: SessionClient
    let refreshTokenHash: [UInt8]

    /// - Parameter checkedHash: The hash that the password was checked against.
    init(_ account: Account.ID, checkedHash: String, client: SessionClient, refreshTokenHash: [UInt8]) {
        self.account = account
        self.checkedHash = checkedHash
        self.client = client
        self.refreshTokenHash = refreshTokenHash
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(checkedHash)
        parameters.append(client.id)
        parameters.append(client.storedName)
        parameters.append(client.address)
        parameters.append(refreshTokenHash)
    }

    static func decode(_ row: inout RowReader) throws -> SessionID? { try row.read() }
}

/// Renews a session by its refresh token, which a successor replaces. Commit whatever the outcome: a reused token ends
/// its session in this transaction.
struct RefreshSession: Statement {
    static let sql = """
        SELECT outcome, renewed, account, sealed_successor FROM refresh_session($1, $2, $3, $4, $5, $6)
        """

    enum Outcome: String, Sendable {
        case renewed
        /// The same client used the token in the last ten seconds, and gets the same successor. A client is the same by
        /// its number, or without one by name and network.
        case repeated
        /// The token had been used before: by a thief then, or by one now. The session has ended.
        case reused
        /// The token does not exist, or its session has ended.
        case unknown
    }

    struct Row: Sendable {
        var outcome: Outcome
        var session: SessionID?
        var account: Account.ID?
        /// The valid successor, sealed with the token: that of this request, or of the former one.
        var sealedSuccessor: [UInt8]?
    }

    let hash: [UInt8]
    let successorHash: [UInt8]
    let sealedSuccessor: [UInt8]
    /// The client. Its number proves it where a request is repeated; a session stays on its client.
    let client: SessionClient

    func bind(_ parameters: inout Parameters) {
        parameters.append(hash)
        parameters.append(successorHash)
        parameters.append(sealedSuccessor)
        parameters.append(client.storedName)
        parameters.append(client.address)
        parameters.append(client.id)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(outcome: row.read(), session: row.read(), account: row.read(), sealedSuccessor: row.read())
    }
}
