import Backoff
import Testing

@Suite(.timeLimit(.minutes(5))) struct SignalTests {
    /// The number of turns that a loop makes from now on.
    private func turns(_ signal: Signal) async -> Int {
        var count = 0
        for await _ in signal { count += 1 }
        return count
    }

    @Test func manyAreOne() async {
        let signal = Signal()
        for _ in 0..<100 { signal.raise() }
        signal.finish()
        #expect(await turns(signal) == 1)
    }

    @Test func withoutOneTheLoopEndsUnturned() async {
        let signal = Signal()
        signal.finish()
        signal.raise()
        #expect(await turns(signal) == 0)
    }

    /// A signal raised during a turn is not lost: the loop turns once more.
    @Test func oneRaisedDuringATurnIsHeard() async {
        let signal = Signal()
        signal.raise()
        var count = 0
        for await _ in signal {
            count += 1
            if count < 3 { signal.raise() } else { signal.finish() }
        }
        #expect(count == 3)
    }

    @Test func aLoopThatWaitsIsWoken() async {
        let signal = Signal()
        let task = Task { await turns(signal) }
        signal.raise()
        signal.finish()
        #expect(await task.value == 1)
    }

    /// A loop may be left and started again, for example after a reconnection.
    @Test func anotherLoopGoesOn() async {
        let signal = Signal()
        signal.raise()
        for await _ in signal { break }
        signal.raise()
        signal.finish()
        #expect(await turns(signal) == 1)
    }
}
