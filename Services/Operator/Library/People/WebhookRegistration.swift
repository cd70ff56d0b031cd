import People
import Postgres
import PushTargets
import Secrets
import Store
import WaterQuality

/// A webhook that is being registered for an account, with a new secret.
struct WebhookRegistration: Sendable {
    /// An alert is one request per endpoint. The bound keeps one person from taking all of the notifier's capacity.
    static let mostPerPerson = PersonLimits.endpoints
    private static let channel = Endpoint.Channel.webhook

    let target: PushTarget
    let secret = WebhookSecret.generate()

    /// - Throws: `invalidInput` for an address that must not be called.
    init(_ address: String, by policy: PushTargetPolicy) throws(OperatorError) {
        do {
            target = try policy.register(address)
        } catch {
            throw OperatorError(.invalidInput, "\(error)", underlying: error)
        }
    }

    /// Locks the account, and gives the address its number among the endpoints.
    /// - Throws: `conflict` where the address is another person's, or the person has as many as they may.
    func place(
        for account: Account.ID, _ email: EmailAddress, in transaction: borrowing PostgresTransaction
    ) throws -> NumberEndpoint.Row {
        try transaction.perform(LockAccount(account))
        let statement = NumberEndpoint(channel: Self.channel, target: target.url, account: account)
        guard let place = try transaction.execute(statement).first else {
            throw OperatorError(.unanswered, "The database gave the endpoint no number. Run the command again.")
        }
        guard place.account == nil || place.account == account || !place.isInUse else {
            throw OperatorError(
                .conflict,
                "This address is another person's, endpoint \(place.endpoint). If it is theirs no more, run: "
                    + "aqua endpoint remove \(place.endpoint)")
        }
        guard place.others < Self.mostPerPerson else {
            throw OperatorError(
                .conflict, "\(email) has \(place.others) endpoints, which is as many as a person may have.")
        }
        return place
    }

    /// Registers the address in its place.
    /// - Throws: `conflict` where somebody else has registered it meanwhile.
    func add(
        at place: NumberEndpoint.Row, for account: Account.ID, sealedBy keys: SecretKeys,
        in transaction: borrowing PostgresTransaction
    ) throws {
        let sealed = try SealedSecret.seal(
            EndpointSecret(address: target.url, secret: secret.bytes), with: keys.newest,
            channel: Self.channel.rawValue, number: place.endpoint.rawValue)
        let added = try transaction.execute(
            AddEndpoint(
                endpoint: place.endpoint, account: account, channel: Self.channel, target: target.url,
                sealedSecret: sealed.bytes))
        guard !added.isEmpty else {
            throw OperatorError(.conflict, "Somebody else has just added this address. Run the command again.")
        }
    }
}
