import HTTPTypes
import Instants
import Postgres
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality

/// The key and content of a creation, by which its repeats are recognised.
struct CreationRequest: Sendable {
    let key: String
    let fingerprint: [UInt8]

    func context(_ account: Account.ID) -> SealedSecret.Context {
        .answer(account: account.rawValue, idempotencyKey: key)
    }
}

/// A running creation that may be repeated.
struct CreationClaim: Sendable {
    let asked: CreationRequest
    let claimedAt: Timestamp
    let keys: Renewable<SecretKeys>

    /// - Throws: `Problem(.idempotencyInProgress)`, which undoes the creation, when a repeat has taken the claim over.
    func complete(_ answer: RawAnswer, _ account: Account.ID, _ transaction: PostgresTransaction) throws {
        guard let stored = answer.stored else { throw Problem(.internalError) }
        let sealed = try SealedSecret.seal(stored, with: keys.renewed().newest, for: asked.context(account))
        let completed = try transaction.perform(
            CompleteIdempotencyKey(
                account, key: asked.key, claimedAt: claimedAt, status: Int16(answer.status.code),
                sealedAnswer: sealed.bytes))
        guard completed == 1 else { throw Problem(.idempotencyInProgress, retryAfter: .seconds(1)) }
    }
}
