import Backoff
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct KeepTryingTests {
    private enum Trouble: Error { case refused, hopeless }

    private struct Book {
        var attempts = 0
        var failures = 0
        var recoveries = 0
    }

    private let clock = ManualClock()
    private let book = KeptBook()

    private final class KeptBook: Sendable {
        let entries = Mutex(Book())
        func note(_ change: @Sendable (inout Book) -> Void) { entries.withLock { change(&$0) } }
        var now: Book { entries.withLock { $0 } }
    }

    /// Starts attempts of which the first ones fail, calling `worksFor` at the attempts with the given numbers.
    private func start(failing: Int, worksAt: Set<Int> = []) -> Task<Int, any Error> {
        Task { [clock, book] in
            try await keepTrying(
                backoff: Backoff(base: .seconds(8), cap: .seconds(64), jitter: .half), clock: clock,
                onFailure: { error in
                    guard case Trouble.refused = error else { throw error }
                    book.note { $0.failures += 1 }
                }, onRecovery: { book.note { $0.recoveries += 1 } }
            ) { outage in
                book.note { $0.attempts += 1 }
                let attempt = book.now.attempts
                if worksAt.contains(attempt) { outage.end() }
                if attempt <= failing { throw Trouble.refused }
                return attempt
            }
        }
    }

    /// Lets the next attempt start.
    /// - Returns: The length of the pause.
    private func pass() async throws -> Duration {
        try await clock.awaitSleepers(1)
        let pause = try #require(clock.pending.first)
        clock.advance(by: pause)
        return pause
    }

    @Test func triesAgainAtThePaceOfTheBackoff() async throws {
        let task = start(failing: 4)
        for bound in [8, 16, 32, 64] {
            let pause = try await pass()
            #expect(pause >= .seconds(bound) / 2 && pause <= .seconds(bound))
        }
        #expect(try await task.value == 5)
        #expect(book.now.failures == 4)
        #expect(book.now.recoveries == 1)
    }

    @Test func aSuccessAtOnceIsNoRecovery() async throws {
        #expect(try await start(failing: 0, worksAt: [1]).value == 1)
        #expect(book.now.recoveries == 0)
    }

    @Test func anAttemptThatWorkedBeginsAnew() async throws {
        let task = start(failing: 5, worksAt: [4])
        for bound in [8, 16, 32, 8, 16] {
            #expect(try await pass() <= .seconds(bound))
        }
        #expect(try await task.value == 6)
        #expect(book.now.recoveries == 2)
    }

    @Test func whatCannotHelpIsThrown() async throws {
        await #expect(throws: Trouble.hopeless) {
            try await keepTrying(
                backoff: .reconnecting, clock: clock, onFailure: { throw $0 }, onRecovery: {},
                { _ in throw Trouble.hopeless })
        }
        #expect(clock.pending.isEmpty)
    }

    @Test func cancellationEndsThePause() async throws {
        let task = start(failing: .max)
        try await clock.awaitSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(book.now.attempts == 1)
    }

    @Test func anAttemptThatFailsAsItIsCancelledIsTheLastAndNoFailure() async throws {
        let task = Task { [clock, book] in
            try await keepTrying(
                backoff: .reconnecting, clock: clock, onFailure: { _ in book.note { $0.failures += 1 } },
                onRecovery: {}
            ) { _ in
                do { try await clock.sleep(for: .seconds(1)) } catch { throw Trouble.refused }
            }
        }
        try await clock.awaitSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(book.now.failures == 0)
    }
}
