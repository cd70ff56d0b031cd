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
    /// The hash derived from the password; statements that depend on the proof compare it with the stored one. nil: they have none, and
    /// have proven themselves to their provider.
    package let checkedHash: String?
}

extension Caller {
    /// As with a password; without one for whoever has none, or may not use it, in a fresh session.
    /// - Throws: As `confirm`, and `Problem(.passwordNeeded)`.
    package func confirm(_ password: String?) async throws -> ConfirmedPerson {
        if let password { return try await confirm(password) }
        return try await scope.transaction { transaction, account in
            let takesPassword =
                try scope.services.takesPasswords && transaction.execute(HasPassword(account)) == [true]
            guard !takesPassword, let email = try transaction.execute(ReadAccount(account)).first?.email else {
                throw Problem(.wrongPassword)
            }
            try scope.requireProof(in: transaction)
            return ConfirmedPerson(account: account, email: email, checkedHash: nil)
        }
    }

    /// Asks for the password once more, before actions that a borrowed telephone or a stolen token must not allow.
    ///
    /// Each session has its own bucket of guesses: whoever stole one neither guesses much nor keeps the owner from this.
    /// - Throws: `Problem(.wrongPassword)`, `Problem(.passwordsOff)`, `Problem(.tooManyRequests)`, `Problem(.unavailable)`.
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
        try await scope.requirePassword(of: account)
        scope.services.guesses.signIn.succeed(guess)
        return ConfirmedPerson(account: account, email: email, checkedHash: derived.hash)
    }
}

extension Scope {
    /// The network of the request, as it is stored and limited: an IPv4 address, or the /64 of an IPv6 address.
    var network: String { address.network.description }

    /// Requires that a password lets a person in: where the house takes none, that the operator does for a while.
    /// - Throws: `Problem(.passwordsOff)`.
    func requirePassword(of account: Account.ID) async throws {
        guard !services.takesPasswords else { return }
        let letsIn = try await anonymousTransaction { try $0.execute(PasswordLetsIn(account)) == [true] }
        guard letsIn else { throw Problem(.passwordsOff) }
    }
}
