import Postgres
import PublicHTTP
import PushTargets
import Routes
import Store
package import WaterQuality

/// A person who has just proved again that they know their password.
package struct ConfirmedPerson: Sendable {
    package let account: Account.ID
    package let email: String
    /// The hash derived from the password; statements that depend on the proof compare it with the stored one.
    package let checkedHash: String
}

extension Caller {
    /// Asks for the password once more, before actions that a borrowed telephone or a stolen token must not allow.
    ///
    /// Each session has its own bucket of guesses: whoever stole one neither guesses much nor keeps the owner from this.
    /// - Throws: `Problem(.wrongPassword)`, `Problem(.tooManyRequests)`, `Problem(.unavailable)`.
    package func confirm(_ password: String) async throws -> ConfirmedPerson {
        let (account, email, salt) = try await scope.transaction { transaction, account in
            guard let email = try transaction.execute(ReadAccount(account)).first?.email else {
                throw Problem.invalidToken
            }
            return (account, email, try transaction.execute(FindPasswordSalt(email: email)).first?.salt)
        }
        let guess = Guess(
            subject: "account \(account.rawValue)", origin: scope.address.guessOrigin,
            familiar: "session \(session.map(\.description) ?? "")")
        try scope.services.guesses.signIn.require(guess)
        let derived = try await scope.services.passwords.derived(password, by: salt, urgency: .familiar)
        let isRight = try await scope.transaction { transaction, account in
            try transaction.execute(CheckPassword(of: account, derivedHash: derived.hash)) == [true]
        }
        guard isRight else { throw Problem(.wrongPassword) }
        scope.services.guesses.signIn.succeed(guess)
        return ConfirmedPerson(account: account, email: email, checkedHash: derived.hash)
    }
}

extension Scope {
    /// The network of the request, as it is stored and limited: an IPv4 address, or the /64 of an IPv6 address.
    var network: String { address.network.description }
}
