import FoundationEssentials
import Instants
import Messaging
import PushClient
import Secrets

/// A request for a token with which Google takes messages (RFC 7523), and what Google says to it.
enum FCMGrant {
    /// What a token is for.
    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    /// In seconds: the longest that Google allows.
    private static let lifetime: Int64 = 3600

    static let headers: [(name: String, value: String)] = [
        ("content-type", "application/x-www-form-urlencoded"), ("user-agent", "AquaMonitor"),
    ]

    /// A form, signed by the service account.
    static func body(for account: ServiceAccount, at time: Timestamp) throws -> [UInt8] {
        let second = time.microseconds / 1_000_000
        let header: JSONObject = ["alg": "RS256", "typ": "JWT", "kid": account.keyID]
        let claims: JSONObject = [
            "iss": account.email, "scope": scope, "aud": account.tokenURL, "iat": second, "exp": second + lifetime,
        ]
        let assertion = try CompactToken.text(
            header: header.bytes(), claims: claims.bytes(), sign: account.signature)
        return Array(
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)".utf8)
    }

    struct Token: Sendable, Hashable {
        var text: String
        var lasts: Duration
    }

    /// - Returns: The token; otherwise what becomes of a message that it was meant for, of which nothing has been sent.
    static func token(in reply: PushReply) -> Result<Token, Refusal> {
        switch reply.answer {
        case .response(200...299, _):
            guard let granted = reply.body.flatMap(Granted.init(body:)) else {
                return .failure(Refusal(.unusable("Google's answer holds no token")))
            }
            let seconds = min(max(granted.expiresIn ?? lifetime, 0), lifetime)
            return .success(Token(text: granted.accessToken, lasts: .seconds(seconds)))
        case .response(let status, let retryAfter):
            guard status != 429, status < 500 else {
                return .failure(Refusal(.response(status: 503, retryAfter: retryAfter)))
            }
            return .failure(Refusal(.unusable("Google does not take the service account (\(status))")))
        case .broken, .silence: return .failure(Refusal(.noConnection(.timeout)))
        case .noConnection, .notPermitted, .unusable: return .failure(Refusal(reply.answer))
        }
    }

    struct Refusal: Error, Hashable {
        let answer: PushAnswer
        init(_ answer: PushAnswer) { self.answer = answer }
    }

    /// The names are OAuth's, but for their underscores.
    private struct Granted: Decodable {
        var accessToken: String
        var expiresIn: Int64?

        /// nil for a token that no header can hold.
        init?(body: [UInt8]) {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            guard let granted = try? decoder.decode(Granted.self, from: Data(body)), !granted.accessToken.isEmpty,
                granted.accessToken.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
            else { return nil }
            self = granted
        }
    }
}
