package import Backoff
package import Logging
import ServiceLifecycle

/// Runs `attempt` until it returns, with the backoff's delay after each failure.
///
/// Logs a warning when an attempt fails or the cause changes, and one line when it works again. An attempt that runs
/// on, such as the work on one connection, calls `Outage.end()` as soon as it works.
/// - Parameters:
///   - subject: The thing that fails and recovers, for the log.
///   - isRetriable: Whether another attempt can help; other errors are thrown at once.
/// - Throws: An error that is not retriable, or `CancellationError` if the task is cancelled.
package func keepTrying<Value, C: Clock>(
    _ subject: String, backoff: Backoff = .reconnecting, clock: C = ContinuousClock(), logger: Logger,
    isRetriable: (any Error) -> Bool = { _ in true }, isolation: isolated (any Actor)? = #isolation,
    _ attempt: (Outage) async throws -> Value
) async throws -> Value where C.Duration == Duration {
    let log = OutageLog(subject: subject, logger: logger)
    return try await keepTrying(
        backoff: backoff, clock: clock,
        onFailure: { error in
            guard isRetriable(error) else { throw error }
            log.failed(error)
        },
        // An attempt also returns when the service stops, even during an outage.
        onRecovery: { if !Task.isShuttingDownGracefully { log.succeeded() } }, attempt)
}

/// Like `keepTrying`, but ends when the service is asked to stop: the pause between two attempts is cut short, and no
/// attempt follows.
/// - Returns: nil if the service was asked to stop before an attempt succeeded.
@discardableResult
package func keepTryingUntilShutdown<Value, C: Clock>(
    _ subject: String, backoff: Backoff = .reconnecting, clock: C = ContinuousClock(), logger: Logger,
    isRetriable: (any Error) -> Bool = { _ in true }, isolation: isolated (any Actor)? = #isolation,
    _ attempt: (Outage) async throws -> Value
) async throws -> Value? where C.Duration == Duration {
    do {
        return try await keepTrying(
            subject, backoff: backoff, clock: StoppableClock(base: clock), logger: logger, isRetriable: isRetriable,
            attempt)
    } catch is CancellationError where Task.isShuttingDownGracefully && !Task.isCancelled {
        return nil
    }
}

/// A clock whose sleepers wake with a `CancellationError` when the service is asked to stop.
private struct StoppableClock<Base: Clock>: Clock where Base.Duration == Duration {
    let base: Base

    var now: Base.Instant { base.now }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: Base.Instant, tolerance: Duration?) async throws {
        try await cancelWhenGracefulShutdown { try await base.sleep(until: deadline, tolerance: tolerance) }
    }
}
