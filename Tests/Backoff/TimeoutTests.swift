import Backoff
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct TimeoutTests {
    private enum Trouble: Error { case own }

    private let clock = ManualClock()

    @Test func whatIsDoneInTimeIsTheResult() async throws {
        #expect(try await withTimeout(.seconds(5), clock: clock) { 7 } == 7)
        #expect(clock.pending.isEmpty, "nobody goes on counting")
    }

    @Test func ownErrorsPass() async throws {
        await #expect(throws: Trouble.own) {
            try await withTimeout(.seconds(5), clock: clock) { throw Trouble.own }
        }
    }

    @Test func whatTakesLongerIsCancelled() async throws {
        let task = Task { [clock] in
            try await withTimeout(.seconds(5), clock: clock) { try await clock.sleep(for: .seconds(9)) }
        }
        try await clock.awaitSleepers(2)
        clock.advance(by: .seconds(4))
        #expect(clock.pending.count == 2)
        clock.advance(by: .seconds(1))
        await #expect(throws: TimeoutError(limit: .seconds(5))) { try await task.value }
        #expect(clock.pending.isEmpty, "the loser was cancelled")
    }

    @Test func theTimeCountsFromItsStart() async throws {
        let begin = Signal()
        let task = Task { [clock] in
            try await withTimeout(.seconds(5), clock: clock, from: { for await _ in begin { return } }) {
                try await clock.sleep(for: .seconds(1_000))
            }
        }
        try await clock.awaitSleepers(1)
        clock.advance(by: .seconds(100))
        #expect(clock.pending.count == 1)
        begin.raise()
        try await clock.awaitSleepers(2)
        clock.advance(by: .seconds(5))
        await #expect(throws: TimeoutError(limit: .seconds(5))) { try await task.value }
    }

    @Test func cancellationReachesTheBody() async throws {
        let task = Task { [clock] in
            try await withTimeout(.seconds(5), clock: clock) { try await clock.sleep(for: .seconds(9)) }
        }
        try await clock.awaitSleepers(2)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: [false, true]) func everyIntervalIsATurn(startsNow: Bool) async throws {
        let turns = Signal()
        let task = Task<Void, any Error> { [clock] in
            try await every(.seconds(10), startsNow: startsNow, clock: clock) { turns.raise() }
        }
        var iterator = turns.makeAsyncIterator()
        if startsNow { #expect(await iterator.next() != nil) }
        for _ in 1...3 {
            try await clock.awaitSleepers(1)
            #expect(clock.pending == [.seconds(10)])
            clock.advance(by: .seconds(10))
            #expect(await iterator.next() != nil)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
