package import Instants
package import PushTargets
import Secrets

/// The signed statement with which a message is sent (RFC 8292): for one push service, for a while.
package struct VAPIDToken: Sendable {
    /// The header `Authorization`.
    package let authorization: String
    private let issuedAt: Timestamp

    /// Push services refuse more than a day; half of it leaves room for a clock that is wrong.
    private static let lifetime = Duration.seconds(12 * 3600)
    /// Apple wants a token to be used for an hour at least.
    private static let renewal = Duration.seconds(6 * 3600)

    /// - Parameter subject: Whom a push service may write to; nil for none, which Apple refuses.
    package init(for target: PushTarget, key: VAPIDKey, subject: PushSubject?, at time: Timestamp) throws {
        let second = time.microseconds / 1_000_000
        var claims = #"{"aud":"\#(target.origin)","exp":\#(second + Self.lifetime.components.seconds),"iat":\#(second)"#
        if let subject { claims += #","sub":"\#(subject.text)""# }
        claims += "}"
        let signed = "\(Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8).base64URL).\(Array(claims.utf8).base64URL)"
        let signature = try key.signature(of: Array(signed.utf8)).base64URL
        authorization = "vapid t=\(signed).\(signature), k=\(key.publicKey.text)"
        issuedAt = time
    }

    /// Whether it may still be sent. One from the future was signed under a clock that was put back since.
    package func isFresh(at time: Timestamp) -> Bool {
        issuedAt <= time && time < issuedAt + Self.renewal
    }
}

extension PushTarget {
    /// The origin of the target's URL (RFC 6454): what a token is for.
    package var origin: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let standardPort = isEncrypted ? 443 : 80
        return "\(isEncrypted ? "https" : "http")://\(name)\(port == standardPort ? "" : ":\(port)")"
    }
}
