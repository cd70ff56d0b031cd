import HTTPTypes
import Routes
import Secrets
import Store

extension GatewayServices {
    /// Identifies the caller of a route, as far as that is possible without the database.
    /// - Throws: `Problem(.unauthenticated)` when a route that is not for anyone gets nothing valid.
    func credential(_ headers: HTTPFields, for route: Route<Caller>) async throws -> Credential {
        let access = route.access
        guard access != .anyone else { return .nobody }
        if route.takesPassword, let password = Credential.password(headers) {
            guard let token = PersonalToken(password) else { throw Problem.invalidToken }
            return .personalToken(token.hash)
        }
        guard let text = Credential.bearer(headers) else { throw Problem.signIn }
        if text.hasPrefix(PersonalTokenKind.prefix) {
            guard let token = PersonalToken(String(text)) else { throw Problem.invalidToken }
            guard !access.takesSession else { throw Problem(.insufficientScope) }
            return .personalToken(token.hash)
        }
        guard let token = await tokens.verify(String(text)) else { throw Problem.invalidToken }
        return .session(SessionID(rawValue: token.session))
    }
}

extension Problem {
    /// 401 for a token that is not valid, or not any more (RFC 6750 §3.1).
    static let invalidToken = Problem(
        .unauthenticated, headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])

    /// 403, with the error of RFC 9470, for a session in which the password was not given lately.
    static let passwordNeeded = Problem(
        .passwordNeeded,
        headers: [.wwwAuthenticate: "Bearer error=\"insufficient_user_authentication\", max_age=\"600\""])
}
