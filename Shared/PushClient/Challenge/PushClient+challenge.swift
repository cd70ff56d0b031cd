import Backoff
package import Instants
package import PushTargets
package import Secrets
package import WaterQuality

extension PushClient {
    /// Asks a target whether whoever runs it wants to be told.
    /// - Parameters:
    ///   - account: On whose behalf.
    ///   - secret: Signs the challenge; it is the endpoint's, should it be registered.
    ///   - time: Of this attempt, by the database's clock.
    ///   - limit: For all of it, the answer's body included.
    package func challenge(
        _ target: PushTarget, for account: Account.ID, signedWith secret: WebhookSecret, at time: Timestamp,
        within limit: Duration = .seconds(10)
    ) async throws -> ChallengeOutcome {
        let challenge = EndpointChallenge.random()
        let message = try challenge.message(signedWith: secret, at: time)
        do {
            let reply = try await withTimeout(limit) {
                await self.exchange(message.body, headers: message.headers, to: target, for: account)
            }
            return ChallengeOutcome(reply, to: challenge)
        } catch is TimeoutError {
            return .unanswered
        }
    }
}
