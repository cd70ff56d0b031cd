import Instants
import People
import Postgres
import PushTargets
import Routes
import Secrets
import Store
import WaterQuality

/// An endpoint that has proven to be the person's, about to be stored.
struct EndpointAddition: Sendable {
    let channel: Endpoint.Channel
    /// The address in one spelling, which tells one endpoint from another.
    let address: String
    let secret: [UInt8]

    /// Stores it: a new endpoint, or one of the person's own in its place.
    /// - Parameter session: The session from which it is registered: signing out on its client pauses the endpoint.
    /// - Throws: `Problem` where it is somebody else's, or the person has no room for it.
    func add(
        to account: Account.ID, sealedWith key: SecretKey, from session: SessionID?, in transaction: PostgresTransaction
    ) throws -> Endpoint.ID {
        try transaction.perform(LockAccount(account))
        let number = NumberEndpoint(channel: channel, target: address, account: account)
        guard let place = try transaction.execute(number).first else { throw Problem(.internalError) }
        guard place.account == nil || place.account == account || !place.isInUse else {
            throw Problem(.endpointTaken)
        }
        try Self.requireRoom(beside: place.others)
        let sealed = try SealedSecret.seal(
            EndpointSecret(address: address, secret: secret), with: key, channel: channel.rawValue,
            number: place.endpoint.rawValue)
        let client = try transaction.hold(session, of: account)
        let added = try transaction.execute(
            AddEndpoint(
                endpoint: place.endpoint, account: account, channel: channel, target: address,
                sealedSecret: sealed.bytes, client: client))
        // Another request was faster.
        guard let endpoint = added.first else { throw Problem(.endpointTaken) }
        return endpoint
    }

    /// Refuses early what could not be added in the end, before anybody is asked.
    /// - Returns: The person, and the database's time.
    static func require(
        roomFor address: String, on channel: Endpoint.Channel, _ scope: Scope
    ) async throws -> (account: Account.ID, now: Timestamp) {
        try await scope.transaction { transaction, account in
            let check = CheckEndpoints(of: account, beside: address, on: channel)
            guard let found = try transaction.execute(check).first else { throw Problem(.internalError) }
            try requireRoom(beside: found.others)
            return (account, found.now)
        }
    }

    private static func requireRoom(beside others: Int64) throws {
        guard others < PersonLimits.endpoints else { throw Problem(.tooManyEndpoints) }
    }
}
