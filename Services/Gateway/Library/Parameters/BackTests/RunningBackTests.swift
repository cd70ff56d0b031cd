import Routes
import Synchronization
import WaterQuality

/// The back-tests of this process, within bounds.
final class RunningBackTests: Sendable {
    private let gate: Mutex<BackTestGate>
    private let started = ContinuousClock.now

    init(_ bounds: BackTestGate.Bounds) {
        gate = Mutex(BackTestGate(bounds))
    }

    /// Runs `body` in one of the person's places.
    /// - Throws: `Problem(.tooManyRequests)` when there is none.
    func run<Result: Sendable>(
        for account: Account.ID, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        if let wait = gate.withLock({ $0.enter(account, at: ContinuousClock.now - started) }) {
            throw Problem(.tooManyRequests, retryAfter: wait)
        }
        defer { gate.withLock { $0.leave(account) } }
        return try await body()
    }
}
