import Instants
import Postgres
import Store

/// Adds an invitation to open an account. Only the schema's owner may.
struct AddAccountInvitation: Statement {
    static let sql = """
        INSERT INTO account_invitation (token_hash, email, expires_at) VALUES ($1, $2, now() + $3 * interval '1 us')
        RETURNING invitation_id, expires_at
        """

    struct Row: Sendable {
        var invitation: AccountInvitationID
        var expiresAt: Timestamp
    }

    let hash: [UInt8]
    /// The only address that the invitation is for, in lower case; `nil`: for whoever has the token.
    let email: String?
    let lifetime: Duration

    func bind(_ parameters: inout Parameters) {
        parameters.append(hash)
        parameters.append(email)
        parameters.append(lifetime.wholeMicroseconds)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(invitation: row.read(), expiresAt: row.read())
    }
}

/// The latest invitations to open an account.
struct ListAccountInvitations: Statement {
    static let sql = """
        SELECT i.invitation_id, CASE WHEN i.used_at IS NOT NULL THEN 'used' WHEN i.expires_at <= now() THEN 'expired'
                ELSE 'open' END, i.email, i.created_at, i.expires_at, i.used_at, a.email
        FROM account_invitation i LEFT JOIN account a ON a.account_id = i.used_by
        ORDER BY i.created_at DESC, i.invitation_id
        LIMIT $1
        """

    struct Row: Sendable {
        var invitation: AccountInvitationID
        var state: InvitationState
        var email: String?
        var createdAt: Timestamp
        var expiresAt: Timestamp
        var usedAt: Timestamp?
        /// The address of the account that the invitation opened.
        var usedBy: String?
    }

    let limit: Int64
    init(limit: Int) { self.limit = Int64(limit) }
    func bind(_ parameters: inout Parameters) { parameters.append(limit) }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            invitation: row.read(), state: row.read(), email: row.read(), createdAt: row.read(), expiresAt: row.read(),
            usedAt: row.read(), usedBy: row.read())
    }
}

/// Takes an unused invitation back; no row is affected when there is none.
struct RevokeAccountInvitation: Statement {
    static let sql = "DELETE FROM account_invitation WHERE invitation_id = $1 AND used_at IS NULL"
    let invitation: AccountInvitationID
    init(_ invitation: AccountInvitationID) { self.invitation = invitation }
    func bind(_ parameters: inout Parameters) { parameters.append(invitation) }
}
