import Crypto
import FoundationEssentials
import HTTPTypes
import Postgres
import Routes
import Secrets
import ServiceKit
import Store

/// Runs a creation once, however often a client repeats it with the same `Idempotency-Key`: a repeat gets the first
/// answer again.
///
/// The key is claimed before the route runs; the transaction that creates keeps the answer (`Scope.creation`), so that
/// there is never one without the other. Answers are stored sealed, because they may hold a secret that is shown once.
/// A failure releases the key. A process that dies before it created anything leaves a claim that another may take over
/// after a minute.
struct Idempotency: Sendable {
    let keys: Renewable<SecretKeys>

    func once(
        _ route: Route<Caller>, _ request: RawRequest, _ scope: Scope,
        _ run: @Sendable (Scope) async throws -> RawAnswer
    ) async throws -> RawAnswer {
        guard route.takesIdempotencyKey, let key = request.headers[.idempotencyKey] else { return try await run(scope) }
        guard Self.lengths.contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            // The route's own check names the header and its bounds.
            return try await run(scope)
        }
        let asked = CreationRequest(key: key, fingerprint: Self.fingerprint(route, request))
        let claim: CreationClaim
        switch try await self.claim(asked, scope) {
        case .answered(let former): return former
        case .claimed(let own): claim = own
        }
        var repeatable = scope
        repeatable.claim = claim
        do {
            return try await run(repeatable)
        } catch {
            // Shielded: the caller may be gone by now, and the key must be free for a repeat.
            await Task { try? await release(claim, scope) }.value
            throw error
        }
    }

    private enum Claim: Sendable {
        case claimed(CreationClaim)
        /// The answer to the first request with this key.
        case answered(RawAnswer)
    }

    private func claim(_ asked: CreationRequest, _ scope: Scope) async throws -> Claim {
        try await scope.transaction { transaction, account in
            let claimed = try transaction.execute(
                ClaimIdempotencyKey(account, key: asked.key, fingerprint: asked.fingerprint)
            ).first
            switch claimed {
            case .claimed(let time)?: return .claimed(CreationClaim(asked: asked, claimedAt: time, keys: keys))
            case .running?, nil: throw Problem(.idempotencyInProgress, retryAfter: .seconds(1))
            case .otherRequest?: throw Problem(.idempotencyKeyReused)
            case .answered(let status, let sealed)?:
                let plain = try keys.renewed().open(
                    SealedSecret(stored: sealed ?? []), for: asked.context(account)
                ).secret
                guard var answer = RawAnswer(stored: plain, status: status) else { throw Problem(.internalError) }
                answer.headers[.idempotentReplayed] = "true"
                return .answered(answer)
            }
        }
    }

    private func release(_ claim: CreationClaim, _ scope: Scope) async throws {
        try await scope.transaction { transaction, account in
            _ = try transaction.perform(
                ReleaseIdempotencyKey(account, key: claim.asked.key, claimedAt: claim.claimedAt))
        }
    }

    private static let lengths = 1...128

    private static func fingerprint(_ route: Route<Caller>, _ request: RawRequest) -> [UInt8] {
        var hash = SHA256()
        // Lengths are hashed too, so that no part runs into the next.
        let path = request.path.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        for part in [route.id] + path + [request.query ?? ""] {
            hash.update(data: Array("\(part.utf8.count):\(part)".utf8))
        }
        hash.update(data: request.body)
        return Array(hash.finalize())
    }
}
