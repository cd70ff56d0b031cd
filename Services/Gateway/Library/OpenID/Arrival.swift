import HTTPTypes
import Instants
import Logging
import People
import Postgres
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality
import Words

/// Somebody who comes back from the provider: what it says of them is taken, and what they left for is done.
struct Arrival: Sendable {
    private let provider: OpenIDProvider
    private let departure: Departure
    private let caller: Caller

    /// Where the browser goes on, and what it takes along.
    struct Outcome: Sendable {
        let location: String
        var headers: HTTPFields = [:]
    }

    init(_ provider: OpenIDProvider, _ departure: Departure, _ caller: Caller) {
        self.provider = provider
        self.departure = departure
        self.caller = caller
    }

    private var scope: Scope { caller.scope }
    private var services: GatewayServices { caller.scope.services }

    /// - Throws: `SignInObstacle`, and what a transaction throws.
    func complete(_ brought: Return) async throws -> Outcome {
        let (metadata, claims) = try await heard(brought)
        if let group = provider.settings.group, claims.groups(provider.settings.groupsClaim)?.contains(group) != true {
            throw SignInObstacle.notInGroup
        }
        let identity = Identity(issuer: metadata.issuer, subject: claims.subject, name: claims.name)
        switch departure.purpose {
        case .signIn(let client, let timeZone): return try await signIn(identity, claims, client, timeZone)
        case .link(let session): return try await link(identity, in: session)
        case .proof(let session, let path): return try await prove(identity, claims, session, path)
        case .signOut: throw SignInObstacle.lost
        }
    }

    private func heard(_ brought: Return) async throws -> (ProviderMetadata, ProviderClaims) {
        do {
            let metadata = try await provider.description()
            let code = try brought.code(of: departure, from: metadata, at: services.clock.now())
            let stateHash = departure.stateHash
            let isFirst = try await scope.anonymousTransaction {
                try $0.execute(ReturnSignIn(stateHash: stateHash)) == [true]
            }
            guard isFirst else { throw SignInObstacle.lost }
            let claims = try await provider.claims(of: code, for: departure, returning: services.origin.returning)
            return (metadata, claims)
        } catch let fault as OpenIDFault {
            services.noteProviderFault(fault)
            throw SignInObstacle(fault)
        }
    }

    private func signIn(
        _ identity: Identity, _ claims: ProviderClaims, _ client: ClientID?, _ timeZone: String
    ) async throws -> Outcome {
        let token = RefreshToken.generate()
        let open = OpenSessionByIdentity(
            identity: identity, client: SessionClient(caller, id: client), refreshTokenHash: token.hash,
            providerSession: claims.session, authenticatedAt: claims.authenticatedAt)
        let signsUp = provider.settings.signsUp
        let address = claims.confirmedAddress.flatMap(EmailAddress.init)
        let locale = scope.language.rawValue
        try await scope.anonymousTransaction { transaction in
            if let opened = try transaction.execute(open).first {
                return try note(identity, claims, in: opened.session, transaction)
            }
            guard signsUp else { throw SignInObstacle.noAccount }
            guard let address else { throw SignInObstacle.noAddress }
            let account = OpenAccountByIdentity(
                identity: identity, email: address.text, locale: locale,
                timeZone: try transaction.execute(FindTimeZone(timeZone)).first ?? "UTC")
            guard try transaction.execute(account) == [.opened], let opened = try transaction.execute(open).first else {
                throw SignInObstacle.taken
            }
            try note(identity, claims, in: opened.session, transaction)
        }
        return Outcome(location: "/signed-in", headers: RefreshCookie(services.origin).setting(token))
    }

    private func link(_ identity: Identity, in session: SessionID) async throws -> Outcome {
        let linked = try await transaction(in: session) { transaction, account in
            // Fresh when it was asked for, a moment ago; living still.
            try transaction.execute(LinkIdentity(account: account, identity: identity)).first
        }
        switch linked {
        case .linked?: return Outcome(location: "/settings/account#linked")
        case .full?: throw SignInObstacle.full
        case .other?, nil: throw SignInObstacle.linkedElsewhere
        }
    }

    private func prove(
        _ identity: Identity, _ claims: ProviderClaims, _ session: SessionID, _ path: String
    ) async throws -> Outcome {
        guard let authenticatedAt = claims.authenticatedAt else { throw SignInObstacle.notRecent }
        let isProven = try await transaction(in: session) { transaction, account in
            let proof = ProveSessionByIdentity(
                account: account, session: session, identity: identity, authenticatedAt: authenticatedAt)
            guard try transaction.execute(proof) == [true] else { return false }
            try note(identity, claims, in: session, transaction)
            return true
        }
        guard isProven else { throw SignInObstacle.otherPerson }
        return Outcome(location: path)
    }

    /// Notes whether the person is among the operators, where the provider says who is. Each sign-in and each proof says it anew.
    private func note(
        _ identity: Identity, _ claims: ProviderClaims, in session: SessionID, _ transaction: PostgresTransaction
    ) throws {
        guard let group = provider.settings.adminGroup else { return }
        let isOperator = claims.groups(provider.settings.groupsClaim)?.contains(group) == true
        try transaction.perform(TakeProvidersWord(session: session, identity: identity, isOperator: isOperator))
    }

    /// Runs `body` as the person of a session in which this was begun: the sealed departure names it.
    private func transaction<Value: Sendable>(
        in session: SessionID, _ body: @Sendable (PostgresTransaction, Account.ID) throws -> Value
    ) async throws -> Value {
        try await scope.anonymousTransaction { transaction in
            guard let person = try transaction.execute(EnterSession(session)).first,
                try transaction.execute(NameSession(session)).first.flatMap(\.self) != nil
            else { throw SignInObstacle.ended }
            return try body(transaction, person.account)
        }
    }
}

extension GatewayServices {
    /// Tells the operator why the provider's word was not taken.
    func noteProviderFault(_ fault: OpenIDFault) {
        logger.warning("The sign-in provider's answer was not taken", [.reason: "\(fault.rawValue)"])
    }
}
