import Crypto
import FoundationEssentials
import HTTPTypes
import Postgres
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality

/// Runs a creation once, however often a client repeats it with the same `Idempotency-Key`: a repeat gets the first
/// answer again.
///
/// The key is claimed before the route runs and completed after it; what a route answers may hold a secret that is shown
/// once, so answers are stored sealed. A failure releases the key. A process that dies between the two leaves a claim
/// that another may take over after a minute: then the creation's own constraints decide.
struct Idempotency: Sendable {
    let keys: Renewable<SecretKeys>

    /// What repeats are told from others by.
    private struct Request: Sendable {
        let key: String
        let fingerprint: [UInt8]
    }

    func once(
        _ route: Route<Caller>, _ request: RawRequest, _ scope: Scope,
        _ run: @Sendable () async throws -> RawAnswer
    ) async throws -> RawAnswer {
        guard route.takesIdempotencyKey, let key = request.headers[.idempotencyKey] else { return try await run() }
        guard Self.lengths.contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            // The route's own check names the header and its bounds.
            return try await run()
        }
        let asked = Request(key: key, fingerprint: Self.fingerprint(route, request))
        if let former = try await claim(asked, scope) { return former }
        do {
            let answer = try await run()
            try await complete(asked, answer, scope)
            return answer
        } catch {
            // Shielded: the caller may be gone by now, and the key must be free for a repeat.
            await Task { try? await release(asked, scope) }.value
            throw error
        }
    }

    /// - Returns: The answer to the first request with this key; nil when this is the first.
    private func claim(_ asked: Request, _ scope: Scope) async throws -> RawAnswer? {
        let keys = keys.renewed()
        return try await scope.transaction { transaction, account in
            let claimed = try transaction.execute(
                ClaimIdempotencyKey(account, key: asked.key, fingerprint: asked.fingerprint)
            ).first
            switch claimed {
            case .claimed?: return nil
            case .running?, nil: throw Problem(.idempotencyInProgress, retryAfter: .seconds(1))
            case .otherRequest?: throw Problem(.idempotencyKeyReused)
            case .answered(let status, let sealed)?:
                let plain = try keys.open(
                    SealedSecret(stored: sealed ?? []), for: Self.context(account, asked.key)
                ).secret
                guard var answer = RawAnswer(stored: plain, status: status) else { throw Problem(.internalError) }
                answer.headers[.idempotentReplayed] = "true"
                return answer
            }
        }
    }

    private func complete(_ asked: Request, _ answer: RawAnswer, _ scope: Scope) async throws {
        guard let stored = answer.stored else { return try await release(asked, scope) }
        let newest = keys.renewed().newest
        try await scope.transaction { transaction, account in
            let sealed = try SealedSecret.seal(stored, with: newest, for: Self.context(account, asked.key))
            try transaction.perform(
                CompleteIdempotencyKey(
                    account, key: asked.key, fingerprint: asked.fingerprint, status: Int16(answer.status.code),
                    sealedAnswer: sealed.bytes))
        }
    }

    private func release(_ asked: Request, _ scope: Scope) async throws {
        try await scope.transaction { transaction, account in
            _ = try transaction.perform(
                ReleaseIdempotencyKey(account, key: asked.key, fingerprint: asked.fingerprint))
        }
    }

    private static let lengths = 1...128

    private static func fingerprint(_ route: Route<Caller>, _ request: RawRequest) -> [UInt8] {
        var hash = SHA256()
        // Lengths between, so that nothing runs into the next.
        let path = request.path.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        for part in [route.id] + path + [request.query ?? ""] {
            hash.update(data: Array("\(part.utf8.count):\(part)".utf8))
        }
        hash.update(data: request.body)
        return Array(hash.finalize())
    }

    private static func context(_ account: Account.ID, _ key: String) -> SealedSecret.Context {
        .answer(account: account.rawValue, idempotencyKey: key)
    }
}

extension Input where Value == String? {
    /// Declares that a creation may be repeated safely; the shell does what it says.
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
