import Instants
import Messaging
import Secrets
import ServiceKit
import Synchronization

/// The one token in use, by which Apple knows us. Apple refuses one that is older than an hour, and slows down whoever signs more often
/// than every 20 minutes.
final class APNsTokens: Sendable {
    /// The age at which a token is replaced.
    static let renewal = Duration.seconds(50 * 60)
    /// The least time between two tokens, but for one that Apple has called too old: by its clock ours may be wrong.
    static let least = Duration.seconds(20 * 60)

    private struct State {
        var token: (text: String, signedAt: ContinuousClock.Instant)?
        /// Whether it has been signed before its time.
        var isEarly = false
    }

    private let settings: APNsSettings
    private let state = Mutex(State())

    init(_ settings: APNsSettings) {
        self.settings = settings
    }

    /// - Parameter time: Stands in a token that is signed now. How old a token is goes by a clock that nobody sets.
    func token(at time: Timestamp, now: ContinuousClock.Instant = .now) throws -> String {
        try state.withLock { state in
            if let token = state.token {
                guard now - token.signedAt >= Self.renewal else { return token.text }
                state.isEarly = false
            }
            let text = try sign(at: time)
            state.token = (text, now)
            return text
        }
    }

    /// Notes that Apple called a token too old.
    /// - Returns: Whether another one is worth an attempt at once.
    func expire(_ token: String, at time: Timestamp, now: ContinuousClock.Instant = .now) throws -> Bool {
        try state.withLock { state in
            guard let current = state.token, current.text == token else { return true }
            let isEarly = now - current.signedAt < Self.least
            guard !(isEarly && state.isEarly) else { return false }
            state.token = (try sign(at: time), now)
            state.isEarly = isEarly
            return true
        }
    }

    private func sign(at time: Timestamp) throws -> String {
        let header: JSONObject = ["alg": "ES256", "kid": settings.keyID]
        let claims: JSONObject = ["iss": settings.teamID, "iat": time.microseconds / 1_000_000]
        return try CompactToken.text(
            header: header.bytes(), claims: claims.bytes(), sign: settings.key.renewed().signature)
    }
}
