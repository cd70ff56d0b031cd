/// One try at something that can be guessed.
package struct Guess: Hashable, Sendable {
    /// What is guessed: an address of an account, or the account that tries claim codes.
    package let subject: String
    /// Where the guess comes from: the prefix of an address; nil for an address that stands for many, whose guesses are no one's.
    package let origin: String?
    /// What tells that the person has been here before, such as the id of a client that has signed in to this account;
    /// nil for a stranger.
    package let familiar: String?

    package init(subject: String, origin: String?, familiar: String? = nil) {
        self.subject = subject
        self.origin = origin
        self.familiar = familiar
    }
}

/// How often may be guessed.
package struct GuessRates: Sendable {
    /// By one origin at one subject; also by a familiar client at its subject.
    package var pair: BucketRate
    /// By all strangers at one subject.
    package var subject: BucketRate
    /// By the strangers of one origin at all subjects.
    package var origin: BucketRate
    /// The most subjects, origins and pairs that are remembered.
    package var capacity = 65_536

    package init(pair: BucketRate, subject: BucketRate, origin: BucketRate) {
        self.pair = pair
        self.subject = subject
        self.origin = origin
    }
}

/// Decides who may guess again. It is asked before a password is hashed or a code looked up, and knows no secrets.
///
/// A stranger who guesses at a person's password empties the buckets of strangers only: a client that has signed in to
/// the account has a bucket of its own, so nobody locks a person out. Subjects are what was typed, whether it exists or
/// not, so a refusal does not tell.
package struct GuessBook: Sendable {
    private struct Pair: Hashable {
        let subject: String
        let origin: String
    }

    private var strangers: TokenBuckets<Pair>
    private var familiar: TokenBuckets<Pair>
    private var subjects: TokenBuckets<String>
    private var origins: TokenBuckets<String>

    package init(_ rates: GuessRates) {
        strangers = TokenBuckets(rates.pair, capacity: rates.capacity)
        familiar = TokenBuckets(rates.pair, capacity: rates.capacity)
        subjects = TokenBuckets(rates.subject, capacity: rates.capacity)
        origins = TokenBuckets(rates.origin, capacity: rates.capacity)
    }

    /// The number of buckets that are remembered.
    var count: Int { strangers.count + familiar.count + subjects.count + origins.count }

    /// Charges a guess, unless it comes too early; a refused one is not charged.
    /// - Parameter now: Of a clock that is never put back.
    /// - Returns: nil if it may go on, else when to try again.
    package mutating func admit(_ guess: Guess, at now: Duration) -> Duration? {
        let pair = Self.pair(guess)
        guard guess.familiar == nil else {
            familiar.makeRoom(at: now)
            if let wait = familiar.wait(pair, at: now) { return wait }
            familiar.take(pair, at: now)
            return nil
        }
        strangers.makeRoom(at: now)
        subjects.makeRoom(at: now)
        origins.makeRoom(at: now)
        let waits = [
            strangers.wait(pair, at: now), subjects.wait(guess.subject, at: now),
            guess.origin.flatMap { origins.wait($0, at: now) },
        ]
        if let wait = waits.compactMap(\.self).max() { return wait }
        strangers.take(pair, at: now)
        subjects.take(guess.subject, at: now)
        if let origin = guess.origin { origins.take(origin, at: now) }
        return nil
    }

    /// The guess was right: it was no guess, and costs nothing.
    package mutating func succeed(_ guess: Guess) {
        let pair = Self.pair(guess)
        guard guess.familiar == nil else {
            familiar.forget(pair)
            return
        }
        strangers.forget(pair)
        subjects.giveBack(guess.subject)
        if let origin = guess.origin { origins.giveBack(origin) }
    }

    private static func pair(_ guess: Guess) -> Pair {
        Pair(subject: guess.subject, origin: guess.familiar ?? guess.origin ?? "")
    }
}
