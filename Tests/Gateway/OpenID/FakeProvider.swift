import Crypto
import Foundation
import Routes
import Secrets
import Synchronization
import TestSupport

@testable import Gateway

/// A provider whose every word a test chooses. Beside that it is strict: a code is for one verifier, and once.
final class FakeProvider: Sendable {
    struct State {
        var subject = "s-1"
        /// Claims of the ID token, beside the usual ones or in their place; nil: without.
        var claims: [String: JSON?] = [:]
        var userInfo: [String: JSON] = [:]
        var description: [String: JSON] = [:]
        /// The header of ID tokens.
        var header: [String: JSON] = ["alg": "ES256", "kid": "k1"]
        /// What signs them.
        var key = P256.Signing.PrivateKey()
        /// What the set of keys says; nil: that key.
        var keys: JSON?
        /// In the place of what is answered, by the request's path.
        var answers: [String: WebhookSink.Answer] = [:]
        fileprivate var codes: [String: (challenge: String, nonce: String)] = [:]
        fileprivate var asked: [String: Int] = [:]
    }

    static let clientID = "aqua"
    static let secret = "the client's secret"
    private static let access = "access-token"

    let origin: String
    private let state = Mutex(State())

    init(_ sink: WebhookSink) {
        origin = sink.url(path: "")
        sink.answer(by: { [weak self] in self?.answer($0) ?? .status(503) })
    }

    func change(_ body: (inout sending State) -> Void) { state.withLock { body(&$0) } }

    /// How often a path was asked for.
    func count(of path: String) -> Int { state.withLock { $0.asked[path, default: 0] } }

    /// Signs somebody in who came with these parameters; the code that the browser takes back.
    func code(for query: [String: String]) -> String {
        state.withLock { state in
            let code = "code-\(state.codes.count + 1)"
            state.codes[code] = (query["code_challenge"] ?? "", query["nonce"] ?? "")
            return code
        }
    }

    private func answer(_ request: WebhookSink.Request) -> WebhookSink.Answer {
        state.withLock { state in
            let path = String(request.path.prefix { $0 != "?" })
            state.asked[path, default: 0] += 1
            if let scripted = state.answers[path] { return scripted }
            switch path {
            case "/.well-known/openid-configuration": return .body(Self.text(description(state)))
            case "/keys": return .body(Self.text(state.keys ?? ["keys": [Self.key(state.key.publicKey)]]))
            case "/token": return token(request, &state)
            case "/me":
                guard request.header("authorization") == "Bearer \(Self.access)" else { return .status(401) }
                return .body(Self.text(.object(state.userInfo.map { JSON.Member($0.key, $0.value) })))
            default: return .status(404)
            }
        }
    }

    private func description(_ state: State) -> JSON {
        var all: [String: JSON] = [
            "issuer": .string(origin), "authorization_endpoint": .string("\(origin)/authorize"),
            "token_endpoint": .string("\(origin)/token"), "jwks_uri": .string("\(origin)/keys"),
            "userinfo_endpoint": .string("\(origin)/me"),
        ]
        all.merge(state.description) { $1 }
        return .object(all.map { JSON.Member($0.key, $0.value) })
    }

    /// RFC 6749, section 4.1.3; RFC 7636, section 4.6.
    private func token(_ request: WebhookSink.Request, _ state: inout State) -> WebhookSink.Answer {
        let form = Dictionary(
            Query(String(decoding: request.body, as: UTF8.self)).parameters.map { ($0.name, $0.value ?? "") },
            uniquingKeysWith: { $1 })
        let pair = Data("\(Self.clientID):the%20client%27s%20secret".utf8).base64EncodedString()
        let challenge = Base64URL.text(Array(SHA256.hash(data: Data((form["code_verifier"] ?? "").utf8))))
        guard request.header("authorization") == "Basic \(pair)", form["grant_type"] == "authorization_code",
            form["redirect_uri"] == "https://water.example/oidc/callback",
            let code = state.codes.removeValue(forKey: form["code"] ?? ""), code.challenge == challenge
        else { return .body("{\"error\":\"invalid_grant\"}", status: 400) }
        let now = Int64(Date().timeIntervalSince1970)
        var claims: [String: JSON] = [
            "iss": .string(origin), "aud": .string(Self.clientID), "sub": .string(state.subject),
            "exp": .integer(now + 300), "iat": .integer(now), "nonce": .string(code.nonce), "email": "ada@example.org",
            "email_verified": true,
        ]
        for (name, value) in state.claims { claims[name] = value }
        let id = Self.signed(claims, state)
        return .body(
            Self.text(["access_token": .string(Self.access), "token_type": "Bearer", "id_token": .string(id)]))
    }

    /// The word that somebody has signed out here.
    /// - Parameter changes: Claims beside the usual ones or in their place; nil: without.
    func logout(_ changes: [String: JSON?] = [:]) -> String {
        let now = Int64(Date().timeIntervalSince1970)
        return state.withLock { state in
            var claims: [String: JSON] = [
                "iss": .string(origin), "aud": .string(Self.clientID), "sub": .string(state.subject),
                "exp": .integer(now + 120), "iat": .integer(now), "jti": "1",
                "events": ["http://schemas.openid.net/event/backchannel-logout": .object([])],
            ]
            for (name, value) in changes { claims[name] = value }
            return Self.signed(claims, state)
        }
    }

    private static func signed(_ claims: [String: JSON], _ state: State) -> String {
        let text = try? CompactToken.text(
            header: JSON.object(state.header.map { JSON.Member($0.key, $0.value) }).bytes,
            claims: JSON.object(claims.map { JSON.Member($0.key, $0.value) }).bytes
        ) { Array(try state.key.signature(for: Data($0)).rawRepresentation) }
        return text ?? ""
    }

    static func key(_ key: P256.Signing.PublicKey, id: String = "k1") -> JSON {
        let point = Array(key.rawRepresentation)
        return [
            "kty": "EC", "crv": "P-256", "kid": .string(id), "x": .string(Base64URL.text(Array(point.prefix(32)))),
            "y": .string(Base64URL.text(Array(point.suffix(32)))),
        ]
    }

    private static func text(_ json: JSON) -> String { String(decoding: json.bytes, as: UTF8.self) }
}
