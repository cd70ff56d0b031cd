import FoundationEssentials
package import Instants
import JWTKit
package import WaterQuality

/// The content of an access token: the person, the session, and how long the token is valid. A verified token is no
/// proof that the session still lives: the first statement of each transaction asks the database.
package struct AccessToken: Hashable, Sendable {
    package let account: Account.ID
    /// The id of the session, a UUID, most significant byte first.
    package let session: UInt128
    package let issuedAt: Timestamp
    package let expiresAt: Timestamp

    /// Short, because the content may be out of date until the token expires.
    package static let lifetime = Duration.seconds(600)
    /// Tolerated difference between the clocks of two Gateways.
    package static let tolerance = Duration.seconds(60)
}

/// The claims of RFC 9068, as far as one service needs them.
struct AccessTokenClaims: JWTPayload, Hashable {
    static let issuer = "aquamonitor"
    static let audience = "aquamonitor-api"

    var iss = issuer
    var aud = audience
    var sub: String
    var sid: String
    /// In Unix seconds, like `exp`.
    var iat: Int64
    var exp: Int64

    init(account: Account.ID, session: UInt128, at now: Timestamp) {
        sub = "\(account.rawValue)"
        sid = UUID(session).uuidString.lowercased()
        iat = now.unixSeconds
        exp = iat + AccessToken.lifetime.components.seconds
    }

    /// Checks nothing here: `token(at:)` does, which knows the time.
    func verify(using algorithm: some JWTAlgorithm) {}

    /// - Returns: nil unless the token is ours, for this service and valid now: there is no leeway after `exp`.
    func token(at now: Timestamp) -> AccessToken? {
        guard iss == Self.issuer, aud == Self.audience, let account = Int64(sub), account > 0,
            let session = UUID(uuidString: sid)
        else { return nil }
        let seconds = now.unixSeconds
        guard iat <= seconds + AccessToken.tolerance.components.seconds, seconds < exp, iat > 0, exp > iat,
            exp - iat <= AccessToken.lifetime.components.seconds
        else { return nil }
        return AccessToken(
            account: Account.ID(rawValue: account), session: session.number,
            issuedAt: Timestamp(microseconds: iat * 1_000_000), expiresAt: Timestamp(microseconds: exp * 1_000_000))
    }
}

extension Timestamp {
    fileprivate var unixSeconds: Int64 { microseconds / 1_000_000 }
}

extension UUID {
    init(_ number: UInt128) {
        self = withUnsafeBytes(of: number.bigEndian) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Most significant byte first.
    var number: UInt128 {
        withUnsafeBytes(of: uuid) { $0.reduce(0) { $0 << 8 | UInt128($1) } }
    }
}
