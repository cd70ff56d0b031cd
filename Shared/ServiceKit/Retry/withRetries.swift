package import Backoff
package import Logging

/// Runs `operation` until it succeeds, waiting between attempts as the backoff says.
///
/// Logs a warning when it fails or its cause changes, and one line when it works again.
/// - Parameters:
///   - subject: What fails and recovers, for the log.
///   - isRetriable: Whether another attempt can help; other errors are thrown at once.
/// - Throws: an error that is not retriable, or `CancellationError` when the task is cancelled.
package func withRetries<Value, C: Clock>(
    _ subject: String, backoff: Backoff = .reconnecting, clock: C = ContinuousClock(), logger: Logger,
    isRetriable: (any Error) -> Bool = { _ in true },
    isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws -> Value
) async throws -> Value where C.Duration == Duration {
    var backoff = backoff
    var outage = OutageLog(subject: subject, logger: logger)
    while true {
        do {
            let value = try await operation()
            outage.succeeded()
            return value
        } catch {
            try Task.checkCancellation()
            guard !(error is CancellationError), isRetriable(error) else { throw error }
            outage.failed(error)
        }
        try await clock.sleep(for: backoff.next())
    }
}
