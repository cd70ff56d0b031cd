import Postgres
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality

/// Registers the app of a session's installation.
struct AppRegistration: Sendable {
    let scope: Scope
    let session: SessionID?
    let token: AppToken

    /// - Throws: `Problem`. Nothing is stored then.
    func run() async throws -> ShownEndpoint {
        let sealing = scope.services.secretKeys.renewed().newest
        let channel = token.platform.channel
        let addition = InstallationAddition(channel: channel, target: token.target, secret: Array(token.text.utf8))
        return try await scope.transaction { transaction, account in
            guard try transaction.execute(ReadAppChannels()).contains(where: { $0.channel.known == channel }) else {
                throw Problem(.nativePushOff)
            }
            return try addition.add(to: account, sealedWith: sealing, from: session, in: transaction)
        }
    }
}
