import Instants
import Postgres
import Store
import WaterQuality

/// Claims a key for a request that creates something, in a transaction of its own. Keys last a day, and a person's last
/// 1,000. A claim that was neither completed nor released for a minute is free again: its process has died before it
/// created anything, because `CompleteIdempotencyKey` commits together with the creation.
struct ClaimIdempotencyKey: Statement {
    static let sql = """
        WITH forgotten AS (
            DELETE FROM idempotency_key
            WHERE account_id = $1 AND key <> $2 AND created_at <= greatest(now() - interval '24 hours', (
                SELECT created_at FROM idempotency_key
                WHERE account_id = $1 ORDER BY created_at DESC OFFSET 1000 LIMIT 1))
        ), claimed AS (
            INSERT INTO idempotency_key AS k (account_id, key, fingerprint) VALUES ($1, $2, $3)
            ON CONFLICT (account_id, key) DO UPDATE SET
                fingerprint = excluded.fingerprint, created_at = now(), status = NULL, sealed_answer = NULL
            WHERE k.created_at <= now() - interval '24 hours'
                OR k.status IS NULL AND k.created_at <= now() - interval '1 minute'
            RETURNING created_at
        )
        SELECT created_at, true, NULL::smallint, NULL::bytea FROM claimed
        UNION ALL
        SELECT NULL, fingerprint = $3, status, sealed_answer FROM idempotency_key
        WHERE account_id = $1 AND key = $2 AND NOT EXISTS (SELECT FROM claimed)
        """

    enum Row: Sendable {
        /// The request is to run; the time tells the claim from later ones.
        case claimed(at: Timestamp)
        /// The same request is running.
        case running
        /// The key was used for another request.
        case otherRequest
        /// The same request was answered with this.
        case answered(status: Int16, sealed: [UInt8]?)
    }

    let account: Account.ID
    let key: String
    let fingerprint: [UInt8]

    /// - Parameters:
    ///   - key: 1 to 128 characters.
    ///   - fingerprint: SHA-256 of the request.
    init(_ account: Account.ID, key: String, fingerprint: [UInt8]) {
        self.account = account
        self.key = key
        self.fingerprint = fingerprint
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(key)
        parameters.append(fingerprint)
    }

    /// No row at all means `running` too: another request has claimed the key in this instant.
    static func decode(_ row: inout RowReader) throws -> Row {
        let (claimedAt, isSame, status, sealed): (Timestamp?, Bool, Int16?, [UInt8]?) = try (
            row.read(), row.read(), row.read(), row.read()
        )
        if let claimedAt { return .claimed(at: claimedAt) }
        guard isSame else { return .otherRequest }
        return status.map { .answered(status: $0, sealed: sealed) } ?? .running
    }
}

/// Stores the answer to the request that claimed a key, in the transaction of the creation.
struct CompleteIdempotencyKey: Statement {
    static let sql = """
        UPDATE idempotency_key SET status = $4, sealed_answer = $5
        WHERE account_id = $1 AND key = $2 AND created_at = $3 AND status IS NULL
        """
    let account: Account.ID
    let key: String
    let claimedAt: Timestamp
    let status: Int16
    let sealedAnswer: [UInt8]?

    /// - Parameter sealedAnswer: Sealed, since it may hold a secret that is shown once.
    init(_ account: Account.ID, key: String, claimedAt: Timestamp, status: Int16, sealedAnswer: [UInt8]?) {
        self.account = account
        self.key = key
        self.claimedAt = claimedAt
        self.status = status
        self.sealedAnswer = sealedAnswer
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(key)
        parameters.append(claimedAt)
        parameters.append(status)
        parameters.append(sealedAnswer)
    }
}

/// Gives a claimed key back, because the request was refused and created nothing.
struct ReleaseIdempotencyKey: Statement {
    static let sql = """
        DELETE FROM idempotency_key WHERE account_id = $1 AND key = $2 AND created_at = $3 AND status IS NULL
        """
    let account: Account.ID
    let key: String
    let claimedAt: Timestamp

    init(_ account: Account.ID, key: String, claimedAt: Timestamp) {
        self.account = account
        self.key = key
        self.claimedAt = claimedAt
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(key)
        parameters.append(claimedAt)
    }
}
