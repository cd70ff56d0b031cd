import HTTPTypes
import Instants
import Postgres
import Routes
import Store

/// Signing out at the house's provider: the browser's way there and back, and the word of the provider that somebody has signed out there.
enum ProviderSignOutRoutes {
    static let outside = [leave, comeBack, end]

    private static let leave = Route<Caller>(
        .get, "/oidc/sign-out", id: "signOutAtProvider", tag: SessionRoutes.tag, access: .anyone,
        "Go to the provider to sign out there",
        answers: .elsewhere, problems: [.notFound, .crossOrigin], limit: .credentials
    ) { caller, _ in
        let services = caller.scope.services
        guard services.provider != nil else { throw Problem(.notFound) }
        // Another site leads nobody out.
        try requireSameOrigin(caller.headers, services.origin)
        do throws(SignInObstacle) {
            let (address, cookie) = try await OpenIDRoutes.leaving(for: .signOut, caller.scope)
            return .nothing(headers: [.location: address] + cookie)
        } catch {
            return .nothing(headers: [.location: OpenIDRoutes.page("/sign-in", error)])
        }
    }

    private static let state = Input<String?>.optionalQuery("state", .secret(1...512), "What the browser took there.")

    /// Tells of the sign-out whoever left for it: anybody may write a link to here.
    private static let comeBack = Route<Caller>(
        .get, "/oidc/signed-out", id: "comeBackSignedOut", tag: SessionRoutes.tag, access: .anyone,
        "Come back from the provider, signed out",
        inputs: [state], answers: .elsewhere, problems: [.notFound], limit: .credentials
    ) { caller, inputs in
        let services = caller.scope.services
        guard services.provider != nil else { throw Problem(.notFound) }
        let cookie = DepartureCookie(origin: services.origin, keys: services.secretKeys)
        guard let departure = cookie.departure(of: caller), departure.purpose == .signOut,
            departure.state == inputs[state], departure.lasts(at: services.clock.now())
        else { return .nothing(headers: [.location: "/sign-in"]) }
        return .nothing(headers: [.location: "/sign-in#signedOut"] + cookie.clearing)
    }.takingAnyQuery()

    private static let token = Input.field(
        "logout_token", Format<String>.secret(1...SignedToken.longest), "The provider's word (Logout Token).")

    /// The same answer for whoever is signed in here and for whoever is not.
    private static let end = Route<Caller>(
        .post, "/oidc/back-channel-logout", id: "endSessionsOfProvider", tag: SessionRoutes.tag, access: .anyone,
        "End the sessions of somebody who has signed out at the provider",
        text: """
            For the provider (OpenID Connect Back-Channel Logout 1.0). Ends the sessions that were opened by it: those of its session (`sid`), or \
            all of the person.
            """,
        inputs: [token], answers: .nothing, problems: [.notFound, .unavailable]
    ) { caller, inputs in
        let services = caller.scope.services
        guard let provider = services.provider else { throw Problem(.notFound) }
        let logout: ProviderLogout
        do throws(OpenIDFault) {
            logout = try await provider.logout(inputs[token])
        } catch {
            services.noteProviderFault(error)
            throw error.isPassing ? Problem(.unavailable, retryAfter: .seconds(5)) : Problem(.malformedBody)
        }
        try await caller.scope.anonymousTransaction { transaction in
            _ = try transaction.execute(EndSessionsByProvider(logout))
        }
        return .nothing
    }.takingForm()
}
