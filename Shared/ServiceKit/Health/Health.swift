import Synchronization

/// The health of the process: checks registered here answer `/health/live` and `/health/ready`.
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

    /// Adds a check that readiness depends on.
    /// - Parameter check: Reports what its owner knows already; a check that queried a server on each probe would hang
    ///   with that server.
    package func addReadiness(_ name: String, check: @escaping @Sendable () async -> Bool) {
        state.withLock { $0.checks.append((name, check)) }
    }

    /// Adds a flag that readiness depends on, off at first.
    package func readinessFlag(_ name: String) -> ReadinessFlag {
        let flag = ReadinessFlag()
        addReadiness(name) { flag.isReady }
        return flag
    }

    /// Adds a heartbeat that liveness depends on: it has to beat at least once per `bound`.
    package func heartbeat(_ name: String, within bound: Duration) -> Heartbeat {
        let heartbeat = Heartbeat(name: name, bound: bound, clock: clock)
        state.withLock { $0.heartbeats.append(heartbeat) }
        return heartbeat
    }

    /// Makes the process not ready from now on, so that it gets no more work.
    package func beginStopping() {
        state.withLock { $0.isStopping = true }
    }

    /// The names of the failing readiness checks; empty means ready.
    package func failingReadiness() async -> [String] {
        let (checks, isStopping) = state.withLock { ($0.checks, $0.isStopping) }
        var failing = isStopping ? ["stopping"] : []
        for (name, check) in checks where await !check() {
            failing.append(name)
        }
        return failing
    }

    /// The names of the heartbeats that have stopped; empty means live.
    package func silentHeartbeats() -> [String] {
        state.withLock { $0.heartbeats }.filter { !$0.isBeating }.map(\.name)
    }
}
