import Synchronization

/// Whether the process is well: what its parts register here answers `/health/live` and `/health/ready`.
package final class Health: Sendable {
    private struct State {
        var checks: [(name: String, check: @Sendable () async -> Bool)] = []
        var heartbeats: [Heartbeat] = []
        var isStopping = false
    }

    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    /// - Parameter clock: Measures the pauses between beats.
    package init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
    }

    /// Ready needs this check to hold.
    /// - Parameter check: Looks at what its owner knows already; a check that queries a server on each probe would
    ///   hang when that server does.
    package func addReadiness(_ name: String, check: @escaping @Sendable () async -> Bool) {
        state.withLock { $0.checks.append((name, check)) }
    }

    /// Ready needs this flag, off at first, to be on.
    package func readinessFlag(_ name: String) -> ReadinessFlag {
        let flag = ReadinessFlag()
        addReadiness(name) { flag.isReady }
        return flag
    }

    /// Live needs this heartbeat to beat at least once per `bound`.
    package func heartbeat(_ name: String, within bound: Duration) -> Heartbeat {
        let heartbeat = Heartbeat(name: name, bound: bound, clock: clock)
        state.withLock { $0.heartbeats.append(heartbeat) }
        return heartbeat
    }

    /// Makes the process not ready from now on, so that it is sent no more work.
    package func beginStopping() {
        state.withLock { $0.isStopping = true }
    }

    /// The names of the readiness checks that do not hold; empty means ready.
    package func failingReadiness() async -> [String] {
        let (checks, isStopping) = state.withLock { ($0.checks, $0.isStopping) }
        var failing = isStopping ? ["stopping"] : []
        for (name, check) in checks where await !check() {
            failing.append(name)
        }
        return failing
    }

    /// The names of the heartbeats that stopped; empty means live.
    package func silentHeartbeats() -> [String] {
        state.withLock { $0.heartbeats }.filter { !$0.isBeating }.map(\.name)
    }
}
