/// Runs `body` once an interval, the first time after one, until it throws or the task is cancelled.
package func every<C: Clock>(
    _ interval: Duration, clock: C = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Void
) async throws -> Never where C.Duration == Duration {
    while true {
        try await clock.sleep(for: interval)
        try await body()
    }
}
