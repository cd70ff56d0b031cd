import HTTPTypes
import Routes
import Secrets
import ServiceKit

/// The cookie in which a browser carries its departure: sealed, for ten minutes, where scripts cannot read it.
///
/// SameSite=Lax, since the way back from the provider is another site's link; with the state in it nobody completes in one browser what
/// was begun in another.
struct DepartureCookie: Sendable {
    let origin: PublicOrigin
    let keys: Renewable<SecretKeys>

    private var name: String { origin.isSecure ? "__Host-aqua_departure" : "aqua_departure" }

    /// The header `Set-Cookie` for somebody who leaves.
    func setting(_ departure: Departure) throws -> HTTPFields {
        let sealed = try SealedSecret.seal(departure.bytes, with: keys.renewed().newest, for: .departure)
        return header(Base64URL.text(sealed.bytes), maxAge: Departure.lifetime.components.seconds)
    }

    /// The header that removes the cookie.
    var clearing: HTTPFields { header("", maxAge: 0) }

    /// - Returns: nil for whoever has not left from here, and for what was changed on the way.
    func departure(of caller: Caller) -> Departure? {
        guard let text = caller.cookie(name), text.utf8.count <= 4096, let bytes = Base64URL.bytes(text),
            let opened = try? keys.renewed().open(SealedSecret(stored: bytes), for: .departure)
        else { return nil }
        return Departure(bytes: opened.secret)
    }

    private func header(_ value: String, maxAge: Int64) -> HTTPFields {
        let secure = origin.isSecure ? "; Secure" : ""
        return [.setCookie: "\(name)=\(value); Path=/; Max-Age=\(maxAge)\(secure); HttpOnly; SameSite=Lax"]
    }
}
