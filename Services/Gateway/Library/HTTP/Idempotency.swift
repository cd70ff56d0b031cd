import Crypto
import FoundationEssentials
import HTTPTypes
import Instants
import Postgres
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality

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

/// The key and content of a creation, by which its repeats are recognised.
struct CreationRequest: Sendable {
    let key: String
    let fingerprint: [UInt8]

    fileprivate func context(_ account: Account.ID) -> SealedSecret.Context {
        .answer(account: account.rawValue, idempotencyKey: key)
    }
}

/// A running creation that may be repeated.
struct CreationClaim: Sendable {
    fileprivate let asked: CreationRequest
    fileprivate let claimedAt: Timestamp
    fileprivate let keys: Renewable<SecretKeys>

    /// - Throws: `Problem(.idempotencyInProgress)`, which undoes the creation, when a repeat has taken the claim over.
    fileprivate func complete(_ answer: RawAnswer, _ account: Account.ID, _ transaction: PostgresTransaction) throws {
        guard let stored = answer.stored else { throw Problem(.internalError) }
        let sealed = try SealedSecret.seal(stored, with: keys.renewed().newest, for: asked.context(account))
        let completed = try transaction.perform(
            CompleteIdempotencyKey(
                account, key: asked.key, claimedAt: claimedAt, status: Int16(answer.status.code),
                sealedAnswer: sealed.bytes))
        guard completed == 1 else { throw Problem(.idempotencyInProgress, retryAfter: .seconds(1)) }
    }
}

extension Scope {
    /// Runs `body`, which creates something, like `transaction`, and keeps the answer for repeats in the same
    /// transaction.
    func creation<Value>(
        _ encoding: AnswerEncoding<Value>, file: String = #fileID, line: UInt = #line,
        _ body: @Sendable (PostgresTransaction, Account.ID) throws -> Answer<Value>
    ) async throws -> Answer<Value> {
        try await transaction(file: file, line: line) { transaction, account in
            let answer = try body(transaction, account)
            try claim?.complete(encoding(answer), account, transaction)
            return answer
        }
    }
}

extension Input where Value == String? {
    /// Declares that a creation may be repeated safely, which the shell sees to.
    static var idempotencyKey: Input<String?> {
        .optionalHeader(
            .idempotencyKey, .text(1...128, pattern: "^[!-~]+$"),
            "A text of the client's choice, different for each creation: a repeated request with the same key gets the "
                + "first answer again, for a day.")
    }
}

extension Route {
    var takesIdempotencyKey: Bool {
        inputs.contains { $0.place == .header && $0.name == HTTPField.Name.idempotencyKey.rawName }
    }
}

extension RawAnswer {
    /// Headers and body, as JSON; nil for a stream.
    fileprivate var stored: [UInt8]? {
        let body: JSON
        switch self.body {
        case .none: body = .null
        case .bytes(let bytes): body = .string(String(decoding: bytes, as: UTF8.self))
        case .stream: return nil
        }
        let fields = headers.map { JSON.array([.string($0.name.rawName), .string($0.value)]) }
        return JSON.object([.init("headers", .array(fields)), .init("body", body)]).bytes
    }

    fileprivate init?(stored bytes: [UInt8], status: Int16) {
        guard let json = try? JSON(reading: bytes), let fields = json["headers"]?.array else { return nil }
        var headers: HTTPFields = [:]
        for field in fields {
            guard let name = field[0]?.string.flatMap({ HTTPField.Name($0) }), let value = field[1]?.string else {
                return nil
            }
            headers.append(HTTPField(name: name, value: value))
        }
        let body = json["body"]?.string.map { RawAnswer.Body.bytes(Array($0.utf8)) } ?? .none
        self.init(status: HTTPResponse.Status(code: Int(status)), headers: headers, body: body)
    }
}
