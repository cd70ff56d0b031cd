import FoundationEssentials
import HTTPTypes
import People
import Routes
import Secrets
import Store
import WaterQuality

/// Routes of signing in and out, and of sessions.
enum SessionRoutes {
    static let all = [signIn, renew, prove, signOut, list, made, end, undo, endAll]
    static let tag = "Sessions"
}

/// The tokens for a client that signs in or renews its session.
struct SessionTokens: Sendable {
    let session: SessionID
    let accessToken: String
    /// nil when the token is in a cookie.
    let refreshToken: String?

    static let output = Output<SessionTokens>.object(
        "SessionTokens", "What a client needs to act in a session.",
        [
            .member("session", .id, "The id of the session.") { $0.session },
            .member(
                "accessToken", .text, "Send it as `Authorization: Bearer ...`.",
                example: "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl"
            ) { $0.accessToken },
            .member("expiresIn", .integer, "For how many seconds the access token is valid.", example: 600) { _ in
                Int(AccessToken.lifetime.components.seconds)
            },
            .member(
                "refreshToken", .optional(of: .text),
                "Renews the session once; null when it is in a cookie that no script can read.",
                example: "aqr_0000000000000000000000000000000000000000000000000"
            ) { $0.refreshToken },
        ])

    /// - Parameter usesCookie: Whether the refresh token goes into a cookie instead of the body.
    static func answer(
        _ account: Account.ID, _ session: SessionID, _ refreshToken: RefreshToken, usesCookie: Bool,
        _ services: GatewayServices
    ) async throws -> Answer<SessionTokens> {
        let accessToken = try await services.tokens.issue(to: account, session: session.rawValue)
        return .value(
            SessionTokens(
                session: session, accessToken: accessToken, refreshToken: usesCookie ? nil : refreshToken.text),
            headers: usesCookie ? RefreshCookie(services.origin).setting(refreshToken) : [:])
    }
}

extension SessionClient {
    init(_ caller: Caller, id: ClientID? = nil) {
        self.init(id: id, name: caller.userAgent, address: caller.scope.network)
    }
}
