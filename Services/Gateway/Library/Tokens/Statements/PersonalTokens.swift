import Instants
import Postgres
import Store
import WaterQuality

/// Adds a token with which a program acts for a person. No row when the person has as many valid tokens as one may
/// have. Lock the account first (`LockAccount`), in a statement of its own: a statement that waits for the lock does
/// not see what was committed meanwhile.
struct AddPersonalToken: Statement {
    static let sql = """
        INSERT INTO personal_token (account_id, token_hash, name, scope, last_four, expires_at)
        SELECT $1, $2, $3, $4, $5, $6
        WHERE (SELECT count(*) FROM personal_token WHERE account_id = $1 AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > now())) < $7
        RETURNING token_id, created_at
        """

    struct Row: Sendable {
        var token: PersonalTokenID
        var createdAt: Timestamp
    }

    let account: Account.ID
    let hash: [UInt8]
    let name: String
    let scope: TokenScope
    let lastFour: String
    let expiresAt: Timestamp?
    let most: Int64

    /// - Parameters:
    ///   - expiresAt: In the future; `nil`: never.
    ///   - most: Most valid tokens of the person.
    init(
        of account: Account.ID, hash: [UInt8], name: String, scope: TokenScope, lastFour: String, expiresAt: Timestamp?,
        most: Int
    ) {
        self.account = account
        self.hash = hash
        self.name = name
        self.scope = scope
        self.lastFour = lastFour
        self.expiresAt = expiresAt
        self.most = Int64(most)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(hash)
        parameters.append(name)
        parameters.append(scope)
        parameters.append(lastFour)
        parameters.append(expiresAt)
        parameters.append(most)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(token: row.read(), createdAt: row.read())
    }
}

/// Lists a person's tokens that were not revoked, the newest first; expired ones are among them.
struct ListPersonalTokens: Statement {
    static let sql = """
        SELECT token_id, name, scope, last_four, created_at, expires_at,
            used_on::timestamp AT TIME ZONE 'UTC', expires_at IS NOT NULL AND expires_at <= now()
        FROM personal_token
        WHERE account_id = $1 AND revoked_at IS NULL
        ORDER BY created_at DESC, token_id
        LIMIT 200
        """

    struct Row: Sendable {
        var token: PersonalTokenID
        var name: String
        var scope: Word<TokenScope>
        var lastFour: String
        var createdAt: Timestamp
        var expiresAt: Timestamp?
        /// The start of the day (UTC) on which it was used last.
        var usedOn: Timestamp?
        var hasExpired: Bool
    }

    let account: Account.ID
    init(of account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) { parameters.append(account) }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            token: row.read(), name: row.read(), scope: row.read(), lastFour: row.read(), createdAt: row.read(),
            expiresAt: row.read(), usedOn: row.read(), hasExpired: row.read())
    }
}

/// Revokes a token; no row is affected when the person has no such token. Tokens that were revoked or have expired long
/// ago are deleted.
struct RevokePersonalToken: Statement {
    static let sql = """
        WITH old AS (
            DELETE FROM personal_token WHERE account_id = $1 AND token_id <> $2
                AND (revoked_at < now() - interval '30 days' OR expires_at < now() - interval '30 days')
        )
        UPDATE personal_token SET revoked_at = now() WHERE account_id = $1 AND token_id = $2 AND revoked_at IS NULL
        """
    let account: Account.ID
    let token: PersonalTokenID

    init(of account: Account.ID, _ token: PersonalTokenID) {
        self.account = account
        self.token = token
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(token)
    }
}
