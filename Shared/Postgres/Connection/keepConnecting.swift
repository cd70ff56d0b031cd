import Backoff

/// Repeats work that needs a connection until it succeeds, for as long as the database is away.
func keepConnecting<Value>(
    _ clock: some Clock<Duration>, _ onConnectFailure: (PostgresError) -> Void,
    _ onReconnect: @escaping @Sendable () -> Void, isolation: isolated (any Actor)? = #isolation,
    _ attempt: (Outage) async throws -> Value
) async throws -> Value {
    try await keepTrying(
        backoff: .toDatabase, clock: clock,
        onFailure: { error in
            if let error = error as? PostgresError { onConnectFailure(error) }
        }, onRecovery: onReconnect, attempt)
}

extension Backoff {
    /// The pace for a database that restarts or fails over: after 50 to 100 ms at first, 1 to 2 s in the end.
    fileprivate static let toDatabase = Backoff(base: .milliseconds(100), cap: .seconds(2), jitter: .half)
}
