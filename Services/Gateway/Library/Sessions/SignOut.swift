import HTTPTypes
import Postgres
import Routes
import Secrets
import Store
import WaterQuality

extension SessionRoutes {
    static let signOut = Route<Caller>(
        .post, "/sessions/sign-out", id: "signOut", tag: tag, access: .anyone, "Sign out here",
        text: """
            Ends the session of a refresh token, from the body or the cookie, even if its access token has expired. The \
            endpoints that were registered on the same client are paused. The answer is the same for a session that has \
            ended before.
            """,
        inputs: [refreshToken], answers: .nothing(headers: [.setCookie]), problems: [.crossOrigin]
    ) { caller, inputs in
        let presented = try PresentedToken(caller, body: inputs[refreshToken])
        if let token = presented?.token {
            _ = try await caller.scope.anonymousTransaction { transaction in
                try transaction.execute(EndSessionOfToken(hash: token.hash))
            }
        }
        return .nothing(
            headers: presented?.isCookie == true ? RefreshCookie(caller.scope.services.origin).clearing : [:])
    }
}
