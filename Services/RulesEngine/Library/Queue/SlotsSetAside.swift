import WaterQuality

/// A batch that this version of the program cannot read, because a newer Ingestor wrote it. It is kept for an engine
/// that can.
struct UnreadableBatch: Error {
    let slot: Slot
}

/// The slots that an engine leaves to others for a while, so that one batch does not block all slots.
struct SlotsSetAside {
    static let period = Duration.seconds(60)

    private var until: [Slot: ContinuousClock.Instant] = [:]

    mutating func insert(_ slot: Slot) {
        until[slot] = .now + Self.period
    }

    /// Filters out the slots that are set aside.
    mutating func without(_ slots: [Slot]) -> [Slot] {
        guard !until.isEmpty else { return slots }
        let now = ContinuousClock.now
        until = until.filter { $0.value > now }
        return slots.filter { until[$0] == nil }
    }
}
