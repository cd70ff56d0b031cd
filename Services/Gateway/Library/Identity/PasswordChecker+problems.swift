import Routes
import Secrets

extension PasswordChecker {
    /// Like `derive`, with the salt as the database stores it.
    /// - Throws: `Problem(.unavailable)` while too many wait.
    func derived(_ password: String, by salt: String?, urgency: Urgency) async throws -> Derived {
        do {
            return try await derive(password, by: salt.flatMap(PasswordSalt.init(stored:)), urgency: urgency)
        } catch is Busy {
            throw Problem(.unavailable, retryAfter: .seconds(2))
        }
    }

    /// The hash of a password, as text to store.
    /// - Throws: `Problem(.unavailable)` while too many wait.
    func stored(_ password: String, urgency: Urgency) async throws -> String {
        do {
            return try await hash(password, urgency: urgency).description
        } catch is Busy {
            throw Problem(.unavailable, retryAfter: .seconds(2))
        }
    }
}
