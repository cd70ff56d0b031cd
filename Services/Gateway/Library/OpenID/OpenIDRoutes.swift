import HTTPTypes
import Instants
import People
import Postgres
import Routes
import Secrets
import Store
import WaterQuality
import Words

/// The way to the house's provider and back. A browser goes it by links, so that it is not below the API.
enum OpenIDRoutes {
    static let outside = [leave, comeBack] + ProviderSignOutRoutes.outside

    private static let client = Input<ClientID?>.optionalQuery(
        "client", .id, "The number of the installation that the person signs in with.")
    private static let timeZone = Input.query(
        "zone", Format<String>.text(1...64).example("Europe/Berlin"), default: "UTC",
        "The time zone of an account that is opened, by its IANA name.")

    private static let leave = Route<Caller>(
        .get, "/oidc/sign-in", id: "leaveForProvider", tag: SessionRoutes.tag, access: .anyone,
        "Go to the provider to sign in",
        inputs: [client, timeZone], answers: .elsewhere, problems: [.notFound, .crossOrigin], limit: .credentials
    ) { caller, inputs in
        let services = caller.scope.services
        guard services.provider != nil else { throw Problem(.notFound) }
        // Whoever signs in has asked for it here.
        try requireSameOrigin(caller.headers, services.origin)
        do throws(SignInObstacle) {
            let (address, cookie) = try await leaving(
                for: .signIn(client: inputs[client], timeZone: inputs[timeZone]), caller.scope)
            return .nothing(headers: [.location: address] + cookie)
        } catch {
            return .nothing(headers: [.location: page("/sign-in", error)])
        }
    }

    /// The address to go to, and the cookie to take along.
    static func leaving(
        for purpose: Departure.Purpose, _ scope: Scope
    ) async throws(SignInObstacle) -> (address: String, cookie: HTTPFields) {
        let services = scope.services
        guard let provider = services.provider else { throw .unreachable }
        let departure = Departure(purpose, at: services.clock.now())
        let metadata: ProviderMetadata
        do throws(OpenIDFault) {
            metadata = try await provider.description()
        } catch {
            services.noteProviderFault(error)
            throw SignInObstacle(error)
        }
        let request = AuthorizationRequest(
            metadata: metadata, settings: provider.settings, origin: services.origin, language: scope.language.rawValue)
        guard let address = request.address(of: departure),
            let cookie = try? DepartureCookie(origin: services.origin, keys: services.secretKeys).setting(departure)
        else { throw .unreachable }
        return (address, cookie)
    }

    private static let code = Input<String?>.optionalQuery(
        "code", .secret(1...4096), "What the provider gives for tokens.")
    private static let state = Input<String?>.optionalQuery("state", .secret(1...512), "What the browser took there.")
    private static let issuer = Input<String?>.optionalQuery("iss", .text(1...2048), "Who the provider is.")
    private static let error = Input<String?>.optionalQuery("error", .text(1...256), "Why it gives nothing.")

    private static let comeBack = Route<Caller>(
        .get, "/oidc/callback", id: "comeBackFromProvider", tag: SessionRoutes.tag, access: .anyone,
        "Come back from the provider",
        inputs: [code, state, issuer, error], answers: .elsewhere, problems: [.notFound], limit: .credentials
    ) { caller, inputs in
        let services = caller.scope.services
        guard let provider = services.provider else { throw Problem(.notFound) }
        let cookie = DepartureCookie(origin: services.origin, keys: services.secretKeys)
        guard let departure = cookie.departure(of: caller), departure.purpose != .signOut else {
            return .nothing(headers: [.location: page("/sign-in", .lost)])
        }
        let brought = Return(code: inputs[code], state: inputs[state], issuer: inputs[issuer], error: inputs[error])
        do {
            let arrival = try await Arrival(provider, departure, caller).complete(brought)
            return .nothing(headers: [.location: arrival.location] + arrival.headers + cookie.clearing)
        } catch let obstacle as SignInObstacle {
            return .nothing(headers: [.location: page(departure.purpose.start, obstacle)] + cookie.clearing)
        } catch is Problem {
            return .nothing(headers: [.location: page(departure.purpose.start, .later)] + cookie.clearing)
        }
    }.takingAnyQuery()

    static func page(_ path: String, _ obstacle: SignInObstacle) -> String { "\(path)#\(obstacle.rawValue)" }
}

extension Departure.Purpose {
    /// The page of the app that tells why nothing came of it.
    fileprivate var start: String {
        switch self {
        case .signIn, .signOut: "/sign-in"
        case .link, .proof: "/settings/account"
        }
    }
}

extension HTTPFields {
    static func + (left: HTTPFields, right: HTTPFields) -> HTTPFields {
        var fields = left
        fields.append(contentsOf: right)
        return fields
    }
}
