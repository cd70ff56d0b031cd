import Synchronization

/// The guess book of one kind of secret, for all requests of this process.
package final class GuessLimit: Sendable {
    private let book: Mutex<GuessBook>
    private let elapsed: @Sendable () -> Duration

    package convenience init(_ rates: GuessRates) {
        self.init(rates, clock: ContinuousClock())
    }

    package init<C: Clock<Duration>>(_ rates: GuessRates, clock: C) {
        book = Mutex(GuessBook(rates))
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    /// - Returns: nil if the guess may go on, else when to try again.
    package func admit(_ guess: Guess) -> Duration? {
        book.withLock { $0.admit(guess, at: elapsed()) }
    }

    package func succeed(_ guess: Guess) {
        book.withLock { $0.succeed(guess) }
    }
}
