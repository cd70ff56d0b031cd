import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of a person's identities at the house's provider.
enum IdentityRoutes {
    static let all = [list, link, unlink, prove]

    private struct Shown: Sendable {
        let row: ListIdentities.Row
        let isInUse: Bool
    }

    private struct Ways: Sendable {
        let hasPassword: Bool
        let identities: [Shown]
        let signsOutThere: Bool
    }

    private static let shown = Output<Shown>.object(
        "Identity", "Who the person is at a provider.",
        [
            .member("id", .id, "The id of the link, not of the person there.") { $0.row.id },
            .member("issuer", .text, "The provider.", example: "https://id.example.org") { $0.row.issuer },
            .member(
                "name", .optional(of: .text), "What the provider called the person when they were last there.",
                example: "ada@example.org"
            ) { $0.row.name },
            .member("linkedAt", .timestamp, "When it was linked.") { $0.row.createdAt },
            .member("usedAt", .timestamp, "When the person last signed in by it.") { $0.row.usedAt },
            .member("isInUse", .boolean, "Whether people sign in by this provider here; false: it was another before.")
            {
                $0.isInUse
            },
        ])

    private static let ways = Output<Ways>.object(
        "WaysIn", "What lets the person in.",
        [
            .member("hasPassword", .boolean, "Whether the person has a password.") { $0.hasPassword },
            .member("identities", .list(of: shown), "Those that are linked, the oldest first.") { $0.identities },
            .member(
                "signsOutThere", .boolean,
                "Whether the provider opened the session that asks, and ends its own at `/oidc/sign-out`.",
                example: true
            ) { $0.signsOutThere },
        ])

    private static let list = Route<Caller>(
        .get, "/account/identities", id: "listIdentities", tag: AccountRoutes.tag, access: .session,
        "List what lets me in", answers: .json(.ok, ways)
    ) { caller, _ in
        let provider = caller.scope.services.provider
        let issuer = provider?.settings.issuer
        let session = caller.session
        let (hasPassword, identities, opener) = try await caller.scope.transaction {
            transaction, account -> (Bool, [Shown], String?) in
            var opener: String?
            if let session {
                opener = try transaction.execute(FindOpeningIssuer(of: session, account: account)).first
            }
            return (
                try transaction.execute(HasPassword(account)) == [true],
                try transaction.execute(ListIdentities(of: account)).map {
                    Shown(row: $0, isInUse: issuer?.isSpelled($0.issuer) == true)
                }, opener
            )
        }
        // A provider that does not answer keeps nobody waiting whom it has not let in.
        var signsOutThere = false
        if let provider, let opener, provider.settings.issuer.isSpelled(opener) {
            signsOutThere = await provider.endsSessions()
        }
        return .value(Ways(hasPassword: hasPassword, identities: identities, signsOutThere: signsOutThere))
    }

    private static let address = Output<String>.object(
        "ProviderAddress", "Where the browser goes on.",
        [
            .member(
                "address", .text,
                "At the provider. It leads back to this service, and works in the browser that asked alone.",
                example: "https://id.example.org/authorize?response_type=code"
            ) { $0 }
        ])

    private static let link = Route<Caller>(
        .post, "/account/identities", id: "linkIdentity", tag: AccountRoutes.tag, access: .fresh,
        "Link who I am at the provider",
        text: """
            The browser goes to the address and comes back linked. Whoever signs in there then comes in here without a password. A person has \
            five at most.
            """,
        answers: .json(.ok, address, headers: [.setCookie]), problems: [.noProvider, .crossOrigin, .unavailable],
        limit: .credentials
    ) { caller, _ in
        let session = try caller.session.orSignIn()
        try await caller.scope.transaction { _, _ in }
        return try await leaving(for: .link(session), caller)
    }

    private static let path = Input.field(
        "path", Format<String>.text(1...200).example("/settings/account"), default: "/settings/account",
        "The page of the app to come back to.")

    private static let prove = Route<Caller>(
        .post, "/sessions/proof/provider", id: "proveSessionByProvider", tag: SessionRoutes.tag, access: .session,
        "Prove myself to the provider again",
        text: "As proveSession, for whoever comes in by the provider, which asks again who the person is.",
        inputs: [path], answers: .json(.ok, address, headers: [.setCookie]),
        problems: [.noProvider, .crossOrigin, .unavailable], limit: .credentials
    ) { caller, inputs in
        let session = try caller.session.orSignIn()
        try await caller.scope.transaction { _, _ in }
        let path = inputs[path]
        guard isPage(path) else { throw Problem(Self.path, .notPage) }
        return try await leaving(for: .proof(session, path: path), caller)
    }

    /// Whether a text is a path of this service's own, and no address of another's.
    static func isPage(_ path: String) -> Bool {
        path.hasPrefix("/") && !path.hasPrefix("//")
            && path.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: "."), UInt8(ascii: "%"), UInt8(ascii: "~"):
                    true
                default: false
                }
            }
    }

    private static func leaving(for purpose: Departure.Purpose, _ caller: Caller) async throws -> Answer<String> {
        let services = caller.scope.services
        guard services.provider != nil else { throw Problem(.noProvider) }
        try requireSameOrigin(caller.headers, services.origin)
        do throws(SignInObstacle) {
            let (address, cookie) = try await OpenIDRoutes.leaving(for: purpose, caller.scope)
            return .value(address, headers: cookie)
        } catch {
            throw Problem(.unavailable, retryAfter: .seconds(5))
        }
    }

    private static let identity = Input<IdentityID>.path("identity", .id, "The id of the link.")

    private static let unlink = Route<Caller>(
        .delete, "/account/identities/{identity}", id: "unlinkIdentity", tag: AccountRoutes.tag, access: .fresh,
        "Unlink who I am at the provider",
        text:
            "Ends the sessions that were opened by it, but for the one that asks. What is left has to let the person in.",
        inputs: [identity], answers: .nothing, problems: [.notFound, .lastWayIn]
    ) { caller, inputs in
        let services = caller.scope.services
        let identity = inputs[identity]
        // As tokens spell it; without an answer of the provider as it is configured.
        let described = try? await services.provider?.description().issuer
        let issuer = described ?? services.provider?.settings.issuer.text ?? ""
        let takesPasswords = services.takesPasswords
        let outcome = try await caller.scope.transaction { transaction, account in
            try transaction.execute(
                UnlinkIdentity(account: account, identity: identity, issuer: issuer, takesPasswords: takesPasswords)
            ).first
        }
        switch outcome {
        case .unlinked?: return .nothing
        case .last?: throw Problem(.lastWayIn)
        case .unknown?, nil: throw Problem(.notFound)
        }
    }
}

extension SessionID? {
    fileprivate func orSignIn() throws(Problem) -> SessionID {
        guard let self else { throw Problem.invalidToken }
        return self
    }
}

extension ProblemType {
    /// The service has no provider.
    fileprivate static let noProvider = ProblemType("no-provider", .conflict)
    /// Nothing else would let the person in.
    fileprivate static let lastWayIn = ProblemType("last-way-in", .conflict)
}

extension Fault {
    fileprivate static let notPage = Fault("not-page")
}
