import Routes
import Secrets

extension PasswordChecker {
    /// Like `check` with what the database has stored.
    /// - Throws: `Problem(.unavailable)` while too many wait.
    func verdict(_ password: String, against stored: String?, urgency: Urgency) async throws -> Verdict {
        do {
            return try await check(password, against: stored.flatMap(PasswordHash.init(stored:)), urgency: urgency)
        } catch is Busy {
            throw Problem(.unavailable, retryAfter: .seconds(2))
        }
    }

    /// The text to store.
    /// - Throws: `Problem(.unavailable)` while too many wait.
    func stored(_ password: String, urgency: Urgency) async throws -> String {
        do {
            return try await hash(password, urgency: urgency).description
        } catch is Busy {
            throw Problem(.unavailable, retryAfter: .seconds(2))
        }
    }
}
