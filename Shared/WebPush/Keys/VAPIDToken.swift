package import Instants
package import PushTargets
import Secrets

/// The signed token that is sent with a message (RFC 8292): for one push service, and for a limited time.
package struct VAPIDToken: Sendable {
    /// The header `Authorization`.
    package let authorization: String
    private let issuedAt: Timestamp

    /// The time until expiry: push services refuse more than a day, and half a day leaves room for a wrong clock.
    private static let lifetime = Duration.seconds(12 * 3600)
    /// The age at which a token is replaced; Apple wants a token to be used for at least an hour.
    private static let renewal = Duration.seconds(6 * 3600)

    /// - Parameter subject: The contact for the push service; nil for none, which Apple refuses.
    package init(for target: PushTarget, key: VAPIDKey, subject: PushSubject?, at time: Timestamp) throws {
        let second = time.microseconds / 1_000_000
        var claims = #"{"aud":"\#(target.origin)","exp":\#(second + Self.lifetime.components.seconds),"iat":\#(second)"#
        if let subject { claims += #","sub":"\#(subject.text)""# }
        claims += "}"
        let token = try CompactToken.text(
            header: Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8), claims: Array(claims.utf8), sign: key.signature)
        authorization = "vapid t=\(token), k=\(key.publicKey.text)"
        issuedAt = time
    }

    /// Whether the token may still be sent. A token from the future was signed before the clock was set back.
    package func isFresh(at time: Timestamp) -> Bool {
        issuedAt <= time && time < issuedAt + Self.renewal
    }
}
