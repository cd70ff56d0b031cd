import Postgres
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality
import WebPush

/// Registers the browser of a session's installation.
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
        let addition = InstallationAddition(
            channel: .webPush, target: target, secret: keys.bytes, fingerprint: keys.fingerprint, vapidKey: vapidKey.id)
        return try await scope.transaction { transaction, account in
            try requireKnownKey(transaction)
            return try addition.add(to: account, sealedWith: sealing, from: session, in: transaction)
        }
    }

    private func requireKnownKey(_ transaction: PostgresTransaction) throws {
        let known = try transaction.execute(ReadVAPIDKeys())
        guard !known.isEmpty else { throw Problem(.webPushOff) }
        guard known.contains(where: { $0.publicKey == vapidKey.bytes }) else { throw Problem(.pushKeyUnknown) }
    }
}
