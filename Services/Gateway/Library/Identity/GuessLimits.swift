package import Routes

/// The limits on guesses at everything that people type in to get in.
package struct GuessLimits: Sendable {
    /// At passwords.
    package let signIn = GuessLimit(.signIn)
    /// At the codes of devices; the subject is the account that tries them.
    package let claimCodes = GuessLimit(.claimCodes)
    /// At invitations.
    package let invitations = GuessLimit(.invitations)

    package init() {}
}

extension GuessLimit {
    /// - Throws: `Problem(.tooManyRequests)` if the guess comes too early.
    package func require(_ guess: Guess) throws(Problem) {
        if let wait = admit(guess) { throw Problem(.tooManyRequests, retryAfter: wait) }
    }
}
