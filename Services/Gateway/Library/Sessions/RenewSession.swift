import HTTPTypes
import Postgres
import Routes
import Secrets
import Store
import WaterQuality

extension SessionRoutes {
    static let refreshToken = Input<String?>.optionalField(
        "refreshToken", .secret(1...128), "The refresh token; the cookie's when this is missing.")

    private static let client = Input<ClientID?>.optionalField(
        "clientId", .id, "The number of the installation that the person signed in with.")

    static let renew = Route<Caller>(
        .post, "/sessions/renewal", id: "renewSession", tag: tag, access: .anyone, "Renew a session",
        text: """
            Exchanges a refresh token, from the body or the cookie, for an access token and the next refresh token. A client \
            that repeats the request within ten seconds, because the answer was lost, gets the same refresh token again: by \
            `clientId`, or without it from the same network under the same name. One that was used before otherwise ends the \
            session, since somebody else may have it.
            """,
        inputs: [refreshToken, client], answers: .json(.ok, SessionTokens.output, headers: [.setCookie]),
        problems: [.sessionEnded, .crossOrigin]
    ) { caller, inputs in
        let services = caller.scope.services
        let presented = try PresentedToken(caller, body: inputs[refreshToken])
        guard let presented else { throw ended(clearing: nil) }
        let cookie = presented.isCookie ? RefreshCookie(services.origin) : nil
        guard let token = presented.token else { throw ended(clearing: cookie) }
        let successor = RefreshToken.generate()
        let sealed = try token.seal(successor)
        // Commits whatever the outcome: a reused token ends its session in this transaction.
        let renewed = try await caller.scope.anonymousTransaction { transaction in
            try transaction.execute(
                RefreshSession(
                    hash: token.hash, successorHash: successor.hash, sealedSuccessor: sealed,
                    client: SessionClient(caller, id: inputs[client]))
            ).first
        }
        guard let renewed, let session = renewed.session, let account = renewed.account else {
            throw ended(clearing: cookie)
        }
        let next: RefreshToken
        switch renewed.outcome {
        case .renewed: next = successor
        case .repeated: next = try token.openSuccessor(renewed.sealedSuccessor ?? [])
        case .reused, .unknown: throw ended(clearing: cookie)
        }
        return try await SessionTokens.answer(account, session, next, usesCookie: presented.isCookie, services)
    }

    private static func ended(clearing cookie: RefreshCookie?) -> Problem {
        var headers = cookie?.clearing ?? [:]
        headers[.wwwAuthenticate] = "Bearer"
        return Problem(.sessionEnded, headers: headers)
    }
}
