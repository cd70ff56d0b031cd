import Backoff
package import Instants
package import PushTargets
package import Secrets

extension PushClient {
    /// Asks a target whether it wants to receive alerts.
    /// - Parameters:
    ///   - account: The account that registers the target.
    ///   - secret: Signs the challenge; becomes the endpoint's secret if it is registered.
    ///   - time: The time of this attempt by the database's clock.
    ///   - limit: The timeout for everything, including the answer's body.
    package func challenge(
        _ target: PushTarget, for account: AskerID, signedWith secret: WebhookSecret, at time: Timestamp,
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
