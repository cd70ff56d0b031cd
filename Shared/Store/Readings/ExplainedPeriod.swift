package import Instants
package import WaterQuality

/// What came of the readings of a period, and why, at its times by a right clock.
package struct ExplainedPeriod: Sendable {
    package let explanation: Explanation
    package let readings: Int
    /// As much of what was asked for as is told of.
    package let period: Range<Timestamp>
    /// Whether nothing is left out because there was too much.
    package let isComplete: Bool
}

extension WatchSubject {
    /// What is read of a period by the device's clock: its readings, and what is stored of as much of it as they cover.
    package typealias ReadPeriod = (Range<Timestamp>) async throws -> (readings: PastReadings, stored: WatchPast)

    /// Explains a period. Where the readings show that the clock was another then than it is known to be now, its times of that period
    /// are others too, and are read instead.
    /// - Returns: `nil` where the person may see nothing of it.
    package func explain(
        _ asked: Range<Timestamp>, _ operators: AlertPolicy, read: ReadPeriod
    ) async throws -> ExplainedPeriod? {
        guard let known = try await explain(asked, operators, lag: lag, read: read) else { return nil }
        let lagThen = known.explanation.lag
        return lagThen == lag ? known : try await explain(asked, operators, lag: lagThen, read: read) ?? known
    }

    private func explain(
        _ asked: Range<Timestamp>, _ operators: AlertPolicy, lag: Duration, read: ReadPeriod
    ) async throws -> ExplainedPeriod? {
        // By the device's clock, as readings are stored.
        guard let own = visible(in: asked.lowerBound - lag..<asked.upperBound - lag) else { return nil }
        var (past, stored) = try await read(own)
        let covered = past.covered(of: own)
        stored.throttles = formerThrottles(operators)
        stored.told = told
        let explanation = Explanation(
            of: past.all, stored, policy: policy(operators), in: covered, now: now, lag: lag)
        return ExplainedPeriod(
            explanation: explanation, readings: past.count,
            period: covered.lowerBound + explanation.lag..<covered.upperBound + explanation.lag,
            isComplete: covered == own && !explanation.isCut)
    }
}
