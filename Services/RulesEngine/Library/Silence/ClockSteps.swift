import Instants

/// Compares the database's clock with the engine's own between two looks: it may leap, and then nobody was silent meanwhile.
struct ClockSteps: Sendable {
    private static let bound = Duration.seconds(60)
    private var last: (time: Timestamp, at: ContinuousClock.Instant)?

    /// - Returns: Whether the clock has leapt since the last call. The first call knows nothing yet.
    mutating func note(_ time: Timestamp, at instant: ContinuousClock.Instant) -> Bool {
        defer { last = (time, instant) }
        guard let last else { return false }
        let difference = (time - last.time) - last.at.duration(to: instant)
        return difference > Self.bound || difference < .zero - Self.bound
    }
}
