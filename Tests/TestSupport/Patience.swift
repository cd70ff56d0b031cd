import Synchronization

/// How long a test waits while nothing changes.
///
/// A time limit alone would depend on the machine: a busy machine polls less often and gets less done. Besides the
/// time, a number of polls must therefore have found no change, which takes a busy machine longer. Ten times the limit
/// is the end in any case, for a poll that hangs and for endless changes.
final class Patience<Seen: Equatable & Sendable>: Sendable {
    private struct State {
        var seen: Seen?
        var since = ContinuousClock.now
        var looks = 0
    }

    let limit: Duration
    private let began = ContinuousClock.now
    private let leastLooks: Int
    private let state = Mutex(State())

    init(_ limit: Duration, leastLooks: Int = 200) {
        self.limit = limit
        self.leastLooks = leastLooks
    }

    /// Records an observation; the patience starts again when it differs from the previous one.
    func look(_ seen: Seen) {
        state.withLock { state in
            if state.seen == seen {
                state.looks += 1
            } else {
                state = State(seen: seen)
            }
        }
    }

    var lastSeen: Seen? { state.withLock { $0.seen } }

    var isOver: Bool { hasSeenEnough || ContinuousClock.now - began >= limit * 10 }

    /// Whether nothing changed for the time limit and for the number of polls.
    var hasSeenEnough: Bool {
        state.withLock { state in state.looks >= leastLooks && ContinuousClock.now - state.since >= limit }
    }
}
