import WaterQuality

/// A batch that this version of the program does not understand: a newer Ingestor wrote it. It is kept for an engine
/// that does.
struct UnreadableBatch: Error {
    let slot: Slot
}

/// Slots that an engine leaves to others for a while, so that one batch does not stop all the others.
struct SlotsSetAside {
    static let period = Duration.seconds(60)

    private var until: [Slot: ContinuousClock.Instant] = [:]

    mutating func insert(_ slot: Slot) {
        until[slot] = .now + Self.period
    }

    /// Those of the slots that are not set aside.
    mutating func without(_ slots: [Slot]) -> [Slot] {
        guard !until.isEmpty else { return slots }
        let now = ContinuousClock.now
        until = until.filter { $0.value > now }
        return slots.filter { until[$0] == nil }
    }
}
