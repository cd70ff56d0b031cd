package import Instants
package import Postgres

/// Adds an invitation to open an account. Only the schema's owner may.
package struct AddAccountInvitation: Statement {
    package static let sql = """
        INSERT INTO account_invitation (token_hash, email, expires_at) VALUES ($1, $2, now() + $3 * interval '1 us')
        RETURNING invitation_id, expires_at
        """

    package struct Row: Sendable {
        package var invitation: AccountInvitationID
        package var expiresAt: Timestamp
    }

    let hash: [UInt8]
    let email: String?
    let lifetime: Duration

    /// - Parameter email: The only address that it is for, in lower case; `nil`: for whoever has the token.
    package init(hash: [UInt8], email: String?, lifetime: Duration) {
        self.hash = hash
        self.email = email
        self.lifetime = lifetime
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(hash)
        parameters.append(email)
        parameters.append(lifetime.wholeMicroseconds)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(invitation: row.read(), expiresAt: row.read())
    }
}

/// The latest invitations to open an account.
package struct ListAccountInvitations: Statement {
    package static let sql = """
        SELECT i.invitation_id, CASE WHEN i.used_at IS NOT NULL THEN 'used' WHEN i.expires_at <= now() THEN 'expired'
                ELSE 'open' END, i.email, i.created_at, i.expires_at, i.used_at, a.email
        FROM account_invitation i LEFT JOIN account a ON a.account_id = i.used_by
        ORDER BY i.created_at DESC, i.invitation_id
        LIMIT $1
        """

    package struct Row: Sendable {
        package var invitation: AccountInvitationID
        package var state: InvitationState
        package var email: String?
        package var createdAt: Timestamp
        package var expiresAt: Timestamp
        package var usedAt: Timestamp?
        /// The address of the account that was opened by it.
        package var usedBy: String?
    }

    let limit: Int64
    package init(limit: Int) { self.limit = Int64(limit) }
    package func bind(_ parameters: inout Parameters) { parameters.append(limit) }
    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            invitation: row.read(), state: row.read(), email: row.read(), createdAt: row.read(), expiresAt: row.read(),
            usedAt: row.read(), usedBy: row.read())
    }
}

/// Takes an unused invitation back; no row is affected when there is none.
package struct RevokeAccountInvitation: Statement {
    package static let sql = "DELETE FROM account_invitation WHERE invitation_id = $1 AND used_at IS NULL"
    let invitation: AccountInvitationID
    package init(_ invitation: AccountInvitationID) { self.invitation = invitation }
    package func bind(_ parameters: inout Parameters) { parameters.append(invitation) }
}
