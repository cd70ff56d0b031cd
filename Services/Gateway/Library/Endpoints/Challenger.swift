import Instants
package import PushClient
import PushTargets
import Routes
import Secrets
import Synchronization
import WaterQuality

/// Asks targets that people want to register for a proof that they are theirs, within bounds.
package final class Challenger: Sendable {
    private let client: PushClient
    private let limit: Duration
    private let gate: Mutex<ChallengeGate>
    private let started = ContinuousClock.now

    /// - Parameter client: Its policy decides what may be called.
    package convenience init(_ client: PushClient) {
        self.init(client, limit: .seconds(10))
    }

    init(_ client: PushClient, bounds: ChallengeGate.Bounds = .init(), limit: Duration) {
        self.client = client
        self.limit = limit
        gate = Mutex(ChallengeGate(bounds))
    }

    /// What may be called at all.
    var policy: PushTargetPolicy { client.policy }

    /// - Throws: `Problem` when the person or the host has had as many as it may, or too many are under way.
    func challenge(
        _ target: PushTarget, for account: Account.ID, signedWith secret: WebhookSecret, at time: Timestamp
    ) async throws -> ChallengeOutcome {
        let wait = gate.withLock { $0.enter(account, host: target.host, at: ContinuousClock.now - started) }
        if let wait { throw Problem(.tooManyChallenges, retryAfter: wait) }
        defer { gate.withLock { $0.leave(account) } }
        return try await client.challenge(target, for: account, signedWith: secret, at: time, within: limit)
    }
}
