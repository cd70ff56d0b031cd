/// One attempt at something that can be guessed.
package struct Guess: Hashable, Sendable {
    /// The object of the guess: an account's address, or the account that tries claim codes.
    package let subject: String
    /// The origin of the guess: an address prefix; nil for a shared address, whose guesses cannot be attributed.
    package let origin: String?
    /// Evidence that the person has been here before, such as the id of a client that has signed in to this account;
    /// nil for a stranger.
    package let familiar: String?

    package init(subject: String, origin: String?, familiar: String? = nil) {
        self.subject = subject
        self.origin = origin
        self.familiar = familiar
    }
}

/// The rates at which guesses are admitted.
package struct GuessRates: Sendable {
    /// The rate for one origin at one subject, and for a familiar client at its subject.
    package var pair: BucketRate
    /// The rate for all strangers at one subject.
    package var subject: BucketRate
    /// The rate for the strangers of one origin at all subjects.
    package var origin: BucketRate
    /// The most subjects, origins and pairs that are remembered.
    package var capacity = 65_536

    package init(pair: BucketRate, subject: BucketRate, origin: BucketRate) {
        self.pair = pair
        self.subject = subject
        self.origin = origin
    }
}

/// Decides whether a guess is admitted, before a password is hashed or a code looked up; knows no secrets.
///
/// A stranger who guesses at a person's password empties strangers' buckets only: a client that has signed in to the
/// account has a bucket of its own, so nobody can lock a person out. Subjects are counted as typed, whether they exist
/// or not, so a refusal reveals nothing.
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

    /// The number of buckets in memory.
    var count: Int { strangers.count + familiar.count + subjects.count + origins.count }

    /// Charges a guess, unless it comes too early; a refused guess costs nothing.
    /// - Parameter now: The time of a monotonic clock.
    /// - Returns: nil if the guess is admitted, otherwise the time until the next try.
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

    /// Gives back the charge of a guess that was right.
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
