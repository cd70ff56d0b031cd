package import Instants
package import WaterQuality

/// The explanation of a period's readings, with times by a correct clock.
package struct ExplainedPeriod: Sendable {
    package let explanation: Explanation
    package let readings: Int
    /// The part of the requested period that is explained.
    package let period: Range<Timestamp>
    /// Whether nothing was omitted for being too much.
    package let isComplete: Bool
}

extension WatchSubject {
    /// Reads a period by the device's clock: its readings, and the stored decisions for the part that they cover.
    package typealias ReadPeriod = (Range<Timestamp>) async throws -> (readings: PastReadings, stored: WatchPast)

    /// Explains a period. If the readings show that the device's clock had another lag then than now, the period is
    /// read again with the times of that lag.
    /// - Returns: `nil` if the person may see nothing of it.
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
        // Converts to the device's clock, by which readings are stored.
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
