import HTTPTypes
import Instants
import People
import Postgres
import PushTargets
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality

/// Registers a webhook once its receiver has proven that it wants alerts.
struct EndpointRegistration: Sendable {
    let scope: Scope
    /// The session from which it is registered: signing out on its client pauses the endpoint.
    let session: SessionID?
    let url: String
    let secret: WebhookSecret

    private static let channel = Endpoint.Channel.webhook

    /// - Throws: `Problem`. Nothing is stored then. Whether the address is in use by somebody else is told only after
    ///   the receiver has proven to be the person's.
    func run(_ encoding: AnswerEncoding<RegisteredEndpoint>) async throws -> Answer<RegisteredEndpoint> {
        let challenger = scope.services.challenger
        let target = try permitted(by: challenger.policy)
        let (account, now) = try await scope.transaction { transaction, account in
            let check = CheckEndpoints(of: account, beside: target.url, on: Self.channel)
            guard let found = try transaction.execute(check).first else { throw Problem(.internalError) }
            try requireRoom(beside: found.others)
            return (account, found.now)
        }
        let outcome = try await challenger.challenge(target, for: account, signedWith: secret, at: now)
        if let problem = outcome.problem { throw Problem(problem) }
        let keys = scope.services.secretKeys.renewed()
        return try await scope.creation(encoding) { transaction, account in
            let endpoint = try add(target, account, sealedWith: keys.newest, in: transaction)
            let registered = RegisteredEndpoint(
                endpoint: try transaction.endpoint(endpoint, of: account), secret: secret.text)
            return .value(registered, headers: [.location: "\(GatewayAPI.base)/endpoints/\(endpoint)"])
        }
    }

    private func permitted(by policy: PushTargetPolicy) throws -> PushTarget {
        do {
            return try policy.register(url)
        } catch {
            throw Problem(EndpointInputs.url, Fault(error))
        }
    }

    private func requireRoom(beside others: Int64) throws {
        guard others < PersonLimits.endpoints else { throw Problem(.tooManyEndpoints) }
    }

    private func add(
        _ target: PushTarget, _ account: Account.ID, sealedWith key: SecretKey, in transaction: PostgresTransaction
    ) throws -> Endpoint.ID {
        try transaction.perform(LockAccount(account))
        let number = NumberEndpoint(channel: Self.channel, target: target.url, account: account)
        guard let place = try transaction.execute(number).first else { throw Problem(.internalError) }
        guard place.account == nil || place.account == account || !place.isInUse else {
            throw Problem(.endpointTaken)
        }
        try requireRoom(beside: place.others)
        let sealed = try SealedSecret.seal(
            EndpointSecret(address: target.url, secret: secret.bytes), with: key, channel: Self.channel.rawValue,
            number: place.endpoint.rawValue)
        let client = try transaction.hold(session, of: account)
        let added = try transaction.execute(
            AddEndpoint(
                endpoint: place.endpoint, account: account, channel: Self.channel, target: target.url,
                sealedSecret: sealed.bytes, client: client))
        // Another request was faster.
        guard let endpoint = added.first else { throw Problem(.endpointTaken) }
        return endpoint
    }
}
