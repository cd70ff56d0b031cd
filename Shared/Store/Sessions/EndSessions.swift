package import Instants
package import Postgres
package import WaterQuality

/// Signs a person out of one session, of all, or of all but one. Their clients' endpoints are paused. The result is the
/// number of sessions ended.
package struct EndSessions: Statement {
    package static let sql = "SELECT end_sessions($1, $2, $3)"

    package enum Choice: Sendable {
        case all
        case only(SessionID)
        case allBut(SessionID)
    }

    let account: Account.ID
    let choice: Choice

    package init(of account: Account.ID, _ choice: Choice) {
        self.account = account
        self.choice = choice
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        if case .only(let session) = choice { parameters.append(session) } else { parameters.append(SessionID?.none) }
        if case .allBut(let session) = choice { parameters.append(session) } else { parameters.append(SessionID?.none) }
    }

    package static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}

/// Ends the session of a refresh token, used or not: a client that signs out may have no valid access token any more.
package struct EndSessionOfToken: Statement {
    package static let sql = "SELECT end_session_of_token($1)"
    let hash: [UInt8]
    package init(hash: [UInt8]) { self.hash = hash }
    package func bind(_ parameters: inout Parameters) { parameters.append(hash) }
    package static func decode(_ row: inout RowReader) throws -> Int32? { try row.read() }
}

/// The live sessions of a person, the last used first; at most 50.
package struct ListSessions: Statement {
    package static let sql = """
        SELECT session_id, client, address, created_at, used_at FROM session s
        WHERE account_id = $1 AND is_live(s)
        ORDER BY used_at DESC, session_id
        LIMIT 50
        """

    package struct Row: Sendable {
        package var session: SessionID
        package var client: String
        package var address: String
        package var createdAt: Timestamp
        /// The time of the last use, to within the ten minutes that an access token lasts.
        package var usedAt: Timestamp
    }

    let account: Account.ID
    package init(of account: Account.ID) { self.account = account }
    package func bind(_ parameters: inout Parameters) { parameters.append(account) }
    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            session: row.read(), client: row.read(), address: row.read(), createdAt: row.read(), usedAt: row.read())
    }
}
