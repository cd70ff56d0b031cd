import Instants
import Synchronization

/// Proof that a loop still runs: the loop beats once a turn, and `/health/live` fails if the beats stop.
package final class Heartbeat: Sendable {
    package let name: String
    /// The longest pause between two beats of a healthy loop.
    package let bound: Duration

    private let elapsed: @Sendable () -> Duration
    private let lastBeat = Atomic<Int64>(0)

    /// Makes a heartbeat; its creation counts as the first beat.
    init<C: Clock>(name: String, bound: Duration, clock: C) where C.Duration == Duration {
        self.name = name
        self.bound = bound
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    /// Reports one turn of the loop; cheap enough for any loop.
    package func beat() {
        lastBeat.store(elapsed().wholeMicroseconds, ordering: .relaxed)
    }

    package var isBeating: Bool {
        elapsed() - .microseconds(lastBeat.load(ordering: .relaxed)) <= bound
    }
}
