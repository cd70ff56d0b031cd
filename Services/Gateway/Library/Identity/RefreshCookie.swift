import HTTPTypes
import Routes
import Secrets
import ServiceKit

/// The cookie that holds a web application's refresh token, where scripts cannot read it.
///
/// The prefix `__Host-` binds the cookie to this host and to HTTPS. Without HTTPS, in development, browsers refuse that
/// prefix and the attribute Secure.
struct RefreshCookie: Sendable {
    private let isSecure: Bool

    init(_ origin: PublicOrigin) {
        isSecure = origin.isSecure
    }

    private var name: String { isSecure ? "__Host-aqua_refresh" : "aqua_refresh" }

    /// The header `Set-Cookie` for a session that was opened or renewed just now.
    func setting(_ token: RefreshToken) -> HTTPFields { header(token.text, maxAge: Self.lifetime) }

    /// The header that removes the cookie.
    var clearing: HTTPFields { header("", maxAge: 0) }

    /// The cookie's text, whether or not it is a token.
    func text(of caller: Caller) -> String? { caller.cookie(name) }

    /// The lifetime of an unused session, in seconds.
    private static let lifetime = 90 * 86_400

    private func header(_ value: String, maxAge: Int) -> HTTPFields {
        let secure = isSecure ? "; Secure" : ""
        return [.setCookie: "\(name)=\(value); Path=/; Max-Age=\(maxAge)\(secure); HttpOnly; SameSite=Strict"]
    }
}

/// The refresh token that a request presents, and how.
struct PresentedToken: Sendable {
    /// nil for a text that was never a token.
    let token: RefreshToken?
    let isCookie: Bool

    /// Takes the token of the body, else the cookie.
    /// - Returns: nil if there is neither.
    /// - Throws: `Problem(.crossOrigin)` for a cookie that another site made the browser send.
    init?(_ caller: Caller, body: String?) throws(Problem) {
        if let body {
            token = RefreshToken(body)
            isCookie = false
            return
        }
        let origin = caller.scope.services.origin
        guard let text = RefreshCookie(origin).text(of: caller) else { return nil }
        try requireSameOrigin(caller.headers, origin)
        token = RefreshToken(text)
        isCookie = true
    }
}
