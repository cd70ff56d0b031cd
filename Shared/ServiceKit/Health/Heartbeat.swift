import Instants
import Synchronization

/// Proof that a loop still turns: the loop beats once a turn, and `/health/live` fails if that stops.
package final class Heartbeat: Sendable {
    package let name: String
    /// The longest pause between two beats of a loop that is well.
    package let bound: Duration

    private let elapsed: @Sendable () -> Duration
    private let lastBeat = Atomic<Int64>(0)

    /// Counts as the first beat.
    init<C: Clock>(name: String, bound: Duration, clock: C) where C.Duration == Duration {
        self.name = name
        self.bound = bound
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    /// One turn of the loop is done; cheap enough for any loop.
    package func beat() {
        lastBeat.store(elapsed().wholeMicroseconds, ordering: .relaxed)
    }

    package var isBeating: Bool {
        elapsed() - .microseconds(lastBeat.load(ordering: .relaxed)) <= bound
    }
}
