package import PublicHTTP
package import Routes

/// Limits on guesses at the passwords, codes and invitations that let people in.
package struct GuessLimits: Sendable {
    /// Guesses at passwords.
    package let signIn = GuessLimit(.signIn)
    /// Guesses at the codes of devices; the subject is the account that tries them.
    package let claimCodes = GuessLimit(.claimCodes)
    /// Guesses at invitations.
    package let invitations = GuessLimit(.invitations)

    package init() {}
}

extension GuessLimit {
    /// - Throws: `Problem(.tooManyRequests)` if the guess comes too early.
    package func require(_ guess: Guess) throws(Problem) {
        if let wait = admit(guess) { throw Problem(.tooManyRequests, retryAfter: wait) }
    }
}

extension GuessRates {
    /// A hundred wrong passwords by strangers per account and day (NIST SP 800-63B-4, section 3.2.2).
    package static let signIn = GuessRates(
        pair: BucketRate(burst: 10, interval: .seconds(60)), subject: BucketRate(burst: 50, interval: .seconds(1728)),
        origin: BucketRate(burst: 30, interval: .seconds(20)))
    /// A code has 60 bits.
    package static let claimCodes = GuessRates(
        pair: BucketRate(burst: 10, interval: .seconds(60)), subject: BucketRate(burst: 10, interval: .seconds(60)),
        origin: BucketRate(burst: 30, interval: .seconds(20)))
    /// An invitation has 256 bits, so this limit only spares the database.
    package static let invitations = GuessRates(
        pair: BucketRate(burst: 20, interval: .seconds(20)), subject: BucketRate(burst: 20, interval: .seconds(20)),
        origin: BucketRate(burst: 30, interval: .seconds(20)))
}
