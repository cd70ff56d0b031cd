import Synchronization

/// Runs `attempt` until it returns. After each failure it is run again, at the pace of the backoff.
///
/// An attempt that runs on, such as the work on one connection, calls `Outage.end()` as soon as it works again: the
/// next failure then starts a new outage.
/// - Parameters:
///   - onFailure: Called after each failure, before the pause. An error that it throws ends the attempts: one that
///     another attempt cannot help.
///   - onRecovery: Called when an attempt works after at least one has failed.
/// - Throws: What `onFailure` throws, or `CancellationError` once the task is cancelled.
package func keepTrying<Value, C: Clock>(
    backoff: Backoff, clock: C, isolation: isolated (any Actor)? = #isolation,
    onFailure: (any Error) throws -> Void, onRecovery: @escaping @Sendable () -> Void,
    _ attempt: (Outage) async throws -> Value
) async throws -> Value where C.Duration == Duration {
    let outage = Outage(backoff, onEnd: onRecovery)
    while true {
        do {
            let value = try await attempt(outage)
            outage.end()
            return value
        } catch {
            try Task.checkCancellation()
            try onFailure(error)
        }
        try await clock.sleep(for: outage.nextDelay())
    }
}

/// The failures of a repeated attempt since its last success.
package final class Outage: Sendable {
    private let backoff: Mutex<Backoff>
    private let onEnd: @Sendable () -> Void

    fileprivate init(_ backoff: Backoff, onEnd: @escaping @Sendable () -> Void) {
        self.backoff = Mutex(backoff)
        self.onEnd = onEnd
    }

    /// Reports that the attempt works: the next delay is a short one again.
    package func end() {
        let hadFailed = backoff.withLock { backoff in
            defer { backoff.reset() }
            return backoff.failures > 0
        }
        if hadFailed { onEnd() }
    }

    fileprivate func nextDelay() -> Duration { backoff.withLock { $0.next() } }
}
