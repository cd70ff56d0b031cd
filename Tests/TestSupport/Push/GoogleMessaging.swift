import Crypto
import CryptoExtras
package import Foundation
import Synchronization

/// Google's two servers for apps: one grants tokens (RFC 7523), the other takes messages (Firebase Cloud Messaging, HTTP v1).
package final class GoogleMessaging: Sendable {
    package static let project = "water-club-1"
    package static let email = "notifier@water-club-1.iam.gserviceaccount.com"
    package static let keyID = "0123456789abcdef0123456789abcdef01234567"
    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    private static let longestBody = 4096

    private struct State {
        var granted: [String] = []
        var messages: [[UInt8]] = []
        var refusals: [String] = []
        var answers: [WebhookSink.Answer] = []
        var grants: [WebhookSink.Answer] = []
        /// How long a token lasts, in seconds.
        var lifetime = 3599
    }

    /// The origin of both.
    package let origin: String
    private let key: _RSA.Signing.PrivateKey
    private let state = Mutex(State())

    /// - Parameter sink: Takes the requests; it must speak HTTP/2.
    package init(_ sink: WebhookSink) throws {
        origin = sink.url(path: "")
        key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        sink.answer(by: { [weak self] request in self?.take(request) ?? .status(503) })
    }

    /// The file that Google's console hands out.
    package var accountFile: Data {
        get throws { try Self.accountFile(of: key, at: origin) }
    }

    /// Such a file with a key of its own, for a server at `origin` that checks no signature.
    package static func newAccountFile(at origin: String) throws -> Data {
        try accountFile(of: _RSA.Signing.PrivateKey(keySize: .bits2048), at: origin)
    }

    private static func accountFile(of key: _RSA.Signing.PrivateKey, at origin: String) throws -> Data {
        try JSONSerialization.data(withJSONObject: [
            "type": "service_account", "project_id": project, "private_key_id": keyID,
            "private_key": key.pemRepresentation, "client_email": email, "client_id": "1",
            "token_uri": "\(origin)/token",
        ])
    }

    /// The bodies of the messages that were taken, or answered by the script.
    package var messages: [[UInt8]] { state.withLock(\.messages) }
    /// How many tokens were granted.
    package var grants: Int { state.withLock(\.granted.count) }
    /// What was wrong with requests.
    package var refusals: [String] { state.withLock(\.refusals) }

    /// Answers the next messages so; all others are taken.
    package func answer(_ answers: [WebhookSink.Answer]) { state.withLock { $0.answers = answers } }
    /// Answers the next requests for a token so; all others are granted one.
    package func answerGrants(_ answers: [WebhookSink.Answer]) { state.withLock { $0.grants = answers } }

    /// An answer with Google's words for what is wrong.
    package static func failure(
        _ status: Int, code: String? = nil, field: String? = nil, retryAfter: String? = nil
    ) -> WebhookSink.Answer {
        let detail = code.map {
            #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#($0)"}"#
        }
        let violation = field.map {
            #"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"\#($0)","description":"Invalid"}]}"#
        }
        let details = [detail, violation].compactMap(\.self).joined(separator: ",")
        return .body(
            #"{"error":{"code":\#(status),"message":"refused","status":"X","details":[\#(details)]}}"#, status: status,
            retryAfter: retryAfter)
    }

    private func take(_ request: WebhookSink.Request) -> WebhookSink.Answer {
        switch request.path {
        case "/token": grant(request)
        case "/v1/projects/\(Self.project)/messages:send": send(request)
        default: refuse(404, "the path is \(request.path)")
        }
    }

    private func refuse(_ status: Int, _ why: String) -> WebhookSink.Answer {
        state.withLock { $0.refusals.append(why) }
        return Self.failure(status)
    }

    private func grant(_ request: WebhookSink.Request) -> WebhookSink.Answer {
        let now = Int(Date.now.timeIntervalSince1970)
        guard request.method == "POST", request.header("content-type") == "application/x-www-form-urlencoded",
            let match = String(decoding: request.body, as: UTF8.self).wholeMatch(
                of: /grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=([\w.-]+)/)
        else { return refuse(400, "the grant is no form of an assertion") }
        let token = CheckedToken(String(match.output.1)) { signature, bytes in
            key.publicKey.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: bytes, padding: .insecurePKCS1v1_5)
        }
        guard let token else { return refuse(400, "the assertion is not signed by the account") }
        guard token.header["alg"] as? String == "RS256", token.header["kid"] as? String == Self.keyID,
            token.claims["iss"] as? String == Self.email, token.claims["scope"] as? String == Self.scope,
            token.claims["aud"] as? String == "\(origin)/token", let issued = token.second("iat"),
            let expires = token.second("exp"), abs(issued - now) <= 300, expires > now, expires <= issued + 3600
        else { return refuse(400, "the assertion says \(token.header) \(token.claims)") }
        return state.withLock { state in
            if !state.grants.isEmpty { return state.grants.removeFirst() }
            let text = "ya29.\(state.granted.count + 1)"
            state.granted.append(text)
            return .body(#"{"access_token":"\#(text)","expires_in":\#(state.lifetime),"token_type":"Bearer"}"#)
        }
    }

    private func send(_ request: WebhookSink.Request) -> WebhookSink.Answer {
        guard request.method == "POST", request.header("content-type") == "application/json" else {
            return refuse(400, "no JSON is posted")
        }
        guard request.body.count <= Self.longestBody else { return refuse(400, "\(request.body.count) bytes") }
        let bearer = request.header("authorization") ?? ""
        return state.withLock { state in
            guard let last = state.granted.last, bearer == "Bearer \(last)" else {
                state.refusals.append("the token is not the one in use")
                return Self.failure(401)
            }
            state.messages.append(request.body)
            if !state.answers.isEmpty { return state.answers.removeFirst() }
            return .body(#"{"name":"projects/\#(Self.project)/messages/0:1"}"#)
        }
    }
}
