/// Runs `body`, and cancels it when it takes longer than `limit`.
///
/// Cancellation is cooperative: a `body` that ignores it delays the return beyond the limit.
/// - Parameter start: Returns when the limit begins to count; at once by default.
/// - Throws: `TimeoutError` when the limit came first, otherwise what `body` throws.
package func withTimeout<Value: Sendable, C: Clock>(
    _ limit: Duration, clock: C = ContinuousClock(),
    from start: @escaping @Sendable () async throws -> Void = {}, isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value where C.Duration == Duration {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask(operation: body)
        group.addTask {
            try await start()
            try await clock.sleep(for: limit)
            throw TimeoutError(limit: limit)
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
    }
}

/// The error of work that exceeded its time limit.
package struct TimeoutError: Error, Hashable, CustomStringConvertible {
    package let limit: Duration

    package init(limit: Duration) { self.limit = limit }

    package var description: String { "not done within \(limit)" }
}
