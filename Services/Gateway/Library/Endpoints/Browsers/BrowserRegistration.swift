import People
import Postgres
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality
import WebPush

/// Registers the browser of a session's installation.
///
/// No challenge is sent, unlike for webhooks: push services are known, and only the browser knows the address and the
/// keys that come here.
struct BrowserRegistration: Sendable {
    let scope: Scope
    let session: SessionID?
    let target: String
    let keys: SubscriptionKeys
    /// The key that the browser subscribed with.
    let vapidKey: VAPIDPublicKey

    /// - Throws: `Problem`. Nothing is stored then.
    func run() async throws -> ShownEndpoint {
        let sealing = scope.services.secretKeys.renewed().newest
        return try await scope.transaction { transaction, account in
            try requireKnownKey(transaction)
            try transaction.perform(LockAccount(account))
            guard let client = try transaction.hold(session, of: account) else { throw Problem(.noInstallation) }
            let number = NumberWebPush(
                target: target, fingerprint: keys.fingerprint, client: client, account: account)
            guard let place = try transaction.execute(number).first else { throw Problem(.internalError) }
            try require(place)
            let sealed = try SealedSecret.seal(
                EndpointSecret(address: target, secret: keys.bytes), with: sealing,
                channel: Endpoint.Channel.webPush.rawValue, number: place.endpoint.rawValue)
            let added = try transaction.execute(
                AddWebPush(
                    endpoint: place.endpoint, account: account, target: target, sealedKeys: sealed.bytes,
                    fingerprint: keys.fingerprint, vapidKey: vapidKey.id, client: client))
            // Another request was faster.
            guard let endpoint = added.first else { throw Problem(.endpointTaken) }
            return try transaction.endpoint(endpoint, of: account)
        }
    }

    private func requireKnownKey(_ transaction: PostgresTransaction) throws {
        let known = try transaction.execute(ReadVAPIDKeys())
        guard !known.isEmpty else { throw Problem(.webPushOff) }
        guard known.contains(where: { $0.publicKey == vapidKey.bytes }) else { throw Problem(.pushKeyUnknown) }
    }

    private func require(_ place: NumberWebPush.Row) throws {
        guard place.standing != .taken else { throw Problem(.endpointTaken) }
        guard !place.isGone else { throw Problem(.subscriptionGone) }
        guard place.others < PersonLimits.endpoints else { throw Problem(.tooManyEndpoints) }
    }
}
