/// Runs `body` once an interval, until it throws or the task is cancelled.
/// - Parameter startsNow: Whether `body` runs at once, and not only after one interval.
package func every<C: Clock>(
    _ interval: Duration, startsNow: Bool = false, clock: C = ContinuousClock(),
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async throws -> Never where C.Duration == Duration {
    if startsNow { try await body() }
    while true {
        try await clock.sleep(for: interval)
        try await body()
    }
}
