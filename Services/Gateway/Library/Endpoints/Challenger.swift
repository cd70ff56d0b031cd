import Backoff
import Instants
import Mail
import Messaging
import PushClient
import PushTargets
import Routes
import Secrets
import Synchronization
import WaterQuality

/// Challenges the targets that people want to register to prove that they are theirs, within bounds.
package final class Challenger: Sendable {
    /// The targets that may be called at all.
    let policy: PushTargetPolicy
    private let authorityFile: String?
    private let mail: MailClient?
    private let limit: Duration
    private let gate: Mutex<ChallengeGate>
    /// Set while `run` runs.
    private let client = Mutex<PushClient?>(nil)
    private let started = ContinuousClock.now

    /// - Parameters:
    ///   - authorityFile: A PEM file with certificate authorities beside the system's.
    ///   - mail: nil where the operator named no mail server.
    ///   - limit: A receiver must have answered within this time.
    init(
        policy: PushTargetPolicy, authorityFile: String?, mail: MailClient? = nil, limit: Duration = .seconds(10),
        bounds: ChallengeGate.Bounds = .init()
    ) {
        self.policy = policy
        self.authorityFile = authorityFile
        self.mail = mail
        self.limit = limit
        gate = Mutex(ChallengeGate(bounds))
    }

    /// Keeps a client until it is cancelled; targets can be challenged only meanwhile.
    func run() async throws {
        try await PushClient.with(policy: policy, authorityFile: authorityFile) { client in
            self.client.withLock { $0 = client }
            defer { self.client.withLock { $0 = nil } }
            for await _ in AsyncStream<Never>.makeStream().stream {}
        }
    }

    /// Whether targets can be challenged.
    var isReady: Bool { client.withLock { $0 != nil } }

    /// - Throws: `Problem` when the person or the host has had too many challenges, or too many are under way.
    func challenge(
        _ target: PushTarget, for account: Account.ID, signedWith secret: WebhookSecret, at time: Timestamp
    ) async throws -> ChallengeOutcome {
        guard let client = client.withLock({ $0 }) else { throw Problem.pause }
        try enter(account, host: target.host)
        defer { gate.withLock { $0.leave(account) } }
        return try await client.challenge(
            target, for: AskerID(rawValue: account.rawValue), signedWith: secret, at: time, within: limit)
    }

    /// Sends a message by a service, within the same bounds.
    /// - Throws: `Problem` when the person or the host has had too many, or too many are under way; `PushTargetFault` when the message
    ///   would go where none may.
    func send(_ dispatch: ServiceDispatch, for account: Account.ID) async throws -> PushAnswer {
        guard let client = client.withLock({ $0 }) else { throw Problem.pause }
        let courier = Courier(client: client, mail: mail)
        let address = try courier.address(of: dispatch)
        return try await answer(from: address.host, for: account) {
            await courier.send(dispatch, to: address, for: AskerID(rawValue: account.rawValue))
        }
    }

    /// Sends a webhook's message, within the same bounds.
    /// - Throws: `Problem` when the person or the host has had too many, or too many are under way.
    func send(_ message: SignedWebhook, to target: PushTarget, for account: Account.ID) async throws -> PushAnswer {
        guard let client = client.withLock({ $0 }) else { throw Problem.pause }
        return try await answer(from: target.host, for: account) {
            await client.exchange(
                message.body, headers: message.headers, to: target, for: AskerID(rawValue: account.rawValue)
            ).answer
        }
    }

    private func answer(
        from host: String, for account: Account.ID, _ send: @Sendable @escaping () async -> PushAnswer
    ) async throws -> PushAnswer {
        try enter(account, host: host)
        defer { gate.withLock { $0.leave(account) } }
        do {
            return try await withTimeout(limit, send)
        } catch is TimeoutError {
            return .silence
        }
    }

    /// Lets a person try a code: as often as they may have one sent.
    /// - Throws: `Problem` when that was too often.
    func admitGuess(of account: Account.ID) throws {
        try enter(account, host: "")
        gate.withLock { $0.leave(account) }
    }

    private func enter(_ account: Account.ID, host: String) throws {
        let wait = gate.withLock { $0.enter(account, host: host, at: ContinuousClock.now - started) }
        if let wait { throw Problem(.tooManyChallenges, retryAfter: wait) }
    }
}
