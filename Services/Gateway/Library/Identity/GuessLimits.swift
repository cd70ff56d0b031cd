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
    /// Codes and links that somebody has mailed; the subject is the mailbox.
    package let codes = GuessLimit(.mails)
    package let resets = GuessLimit(.mails)

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
    /// Nobody fills another one's mailbox: three mails at once to one address, and one an hour.
    package static let mails = GuessRates(
        pair: BucketRate(burst: 3, interval: .seconds(3600)), subject: BucketRate(burst: 3, interval: .seconds(3600)),
        origin: BucketRate(burst: 10, interval: .seconds(300)))
    /// An invitation has 256 bits, so this limit only spares the database.
    package static let invitations = GuessRates(
        pair: BucketRate(burst: 20, interval: .seconds(20)), subject: BucketRate(burst: 20, interval: .seconds(20)),
        origin: BucketRate(burst: 30, interval: .seconds(20)))
}
