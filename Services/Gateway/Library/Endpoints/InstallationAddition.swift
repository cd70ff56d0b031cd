import People
import Postgres
import Routes
import Secrets
import Store
import WaterQuality

/// The way by which a session's installation is told: a browser's subscription, or an app's token.
///
/// No challenge is sent, unlike for webhooks: push services are known, and only the browser or the app knows what comes here.
struct InstallationAddition: Sendable {
    let channel: Endpoint.Channel
    /// The address, which tells one endpoint from another.
    let target: String
    /// A browser's keys, or an app's token.
    let secret: [UInt8]
    /// A hash of a browser's keys; nil for an app.
    var fingerprint: [UInt8]?
    /// The id of the key that a browser subscribed with; nil for an app.
    var vapidKey: String?

    /// Stores it for the installation of the session, in place of what that had before.
    /// - Throws: `Problem` where it is somebody else's or over, or the person has no room for it.
    func add(
        to account: Account.ID, sealedWith key: SecretKey, from session: SessionID?, in transaction: PostgresTransaction
    ) throws -> ShownEndpoint {
        try transaction.perform(LockAccount(account))
        guard let client = try transaction.hold(session, of: account) else { throw Problem(.noInstallation) }
        let number = NumberInstalled(
            channel: channel, target: target, fingerprint: fingerprint, client: client, account: account)
        guard let place = try transaction.execute(number).first else { throw Problem(.internalError) }
        try require(place)
        let sealed = try SealedSecret.seal(
            EndpointSecret(address: target, secret: secret), with: key, channel: channel.rawValue,
            number: place.endpoint.rawValue)
        let added = try transaction.execute(
            AddInstalled(
                endpoint: place.endpoint, account: account, channel: channel, target: target,
                sealedSecret: sealed.bytes, fingerprint: fingerprint, vapidKey: vapidKey, client: client))
        // Another request was faster.
        guard let endpoint = added.first else { throw Problem(.endpointTaken) }
        return try transaction.endpoint(endpoint, of: account)
    }

    private func require(_ place: NumberInstalled.Row) throws {
        guard place.standing != .taken else { throw Problem(.endpointTaken) }
        // A browser subscribes anew. An app that names its token again has it from its phone's system, which knows better.
        guard channel != .webPush || !place.isGone else { throw Problem(.subscriptionGone) }
        guard place.others < PersonLimits.endpoints else { throw Problem(.tooManyEndpoints) }
    }
}

extension PostgresTransaction {
    /// The browser, or the app, that the caller's installation has registered.
    func installed(
        _ channels: [Endpoint.Channel], from session: SessionID?, of account: Account.ID
    ) throws -> Endpoint.ID? {
        try allInstalled(channels, from: session, of: account).first
    }

    /// Takes all that the caller's installation has registered on these channels out of use.
    func removeInstalled(
        _ channels: [Endpoint.Channel], from session: SessionID?, of account: Account.ID
    ) throws {
        for endpoint in try allInstalled(channels, from: session, of: account) {
            _ = try execute(RemovePersonEndpoint(endpoint, of: account))
        }
    }

    private func allInstalled(
        _ channels: [Endpoint.Channel], from session: SessionID?, of account: Account.ID
    ) throws -> [Endpoint.ID] {
        guard let client = try client(of: session, account) else { return [] }
        return try execute(FindInstalled(channels, of: account, from: client))
    }

    /// The installation of the caller's session, if it named one.
    private func client(of session: SessionID?, _ account: Account.ID) throws -> ClientID? {
        try session.flatMap { try execute(FindClientOfSession($0, of: account)).first ?? nil }
    }

    /// The installation of the caller's session, which lasts until the transaction ends: whoever signs out pauses what
    /// is registered on the installation. Lock the account before.
    /// - Throws: `Problem` when the session has ended.
    func hold(_ session: SessionID?, of account: Account.ID) throws -> ClientID? {
        guard let session else { return nil }
        guard let held = try execute(HoldSession(session, of: account)).first else { throw Problem(.sessionEnded) }
        return held
    }
}
