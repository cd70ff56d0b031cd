import Synchronization

/// How long a test waits while it sees nothing new.
///
/// A time alone would be a guess about the machine: one that has other work looks less often and gets less done. So besides
/// the time so many looks must have found nothing new, which a busy machine takes longer for. Ten times the limit is the
/// end in any case: for a look that hangs, and for news without end.
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

    /// Notes what was seen; patience begins anew when that is not what was seen before.
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

    /// Nothing new for the limit, and in so many looks.
    var hasSeenEnough: Bool {
        state.withLock { state in state.looks >= leastLooks && ContinuousClock.now - state.since >= limit }
    }
}
