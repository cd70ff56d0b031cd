import Synchronization

/// The guess book of one kind of secret, for all requests of this process.
package final class GuessLimit: Sendable {
    private struct State {
        var book: GuessBook
        var refused = 0
    }

    private let state: Mutex<State>
    private let elapsed: @Sendable () -> Duration

    package convenience init(_ rates: GuessRates) {
        self.init(rates, clock: ContinuousClock())
    }

    package init<C: Clock<Duration>>(_ rates: GuessRates, clock: C) {
        state = Mutex(State(book: GuessBook(rates)))
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    /// Admits or refuses a guess.
    /// - Returns: nil if it is admitted, otherwise the time until the next try.
    package func admit(_ guess: Guess) -> Duration? {
        state.withLock { state in
            let wait = state.book.admit(guess, at: elapsed())
            if wait != nil { state.refused += 1 }
            return wait
        }
    }

    /// The number of refused guesses so far.
    package var refusedCount: Int { state.withLock(\.refused) }

    package func succeed(_ guess: Guess) {
        state.withLock { $0.book.succeed(guess) }
    }
}
