import WaterQuality

/// When an engine does what nobody asks it for.
struct Routine {
    let interval: Duration
    private var nextLook = ContinuousClock.now
    private var nextMeasurement = ContinuousClock.now
    private var nextLookAtOthers = ContinuousClock.now
    private var nextFullLook = ContinuousClock.now
    private var nextFloor = ContinuousClock.now

    init(interval: Duration) { self.interval = interval }

    /// Once an interval.
    mutating func isTimeToLook() -> Bool { isTime(&nextLook, every: interval) }

    /// Whether the look is one below the floors as well, over all that was taken and cannot be cleaned yet.
    mutating func isTimeToLookAtAll() -> Bool { isTime(&nextFullLook, every: .seconds(60)) }

    mutating func isTimeToRaiseFloors() -> Bool { isTime(&nextFloor, every: BatchFloors.interval) }

    mutating func isTimeToLookAtOthers() -> Bool { isTime(&nextLookAtOthers, every: OthersSlots.patience) }

    /// Every 15 seconds.
    mutating func isTimeToMeasure() -> Bool { isTime(&nextMeasurement, every: .seconds(15)) }

    private func isTime(_ next: inout ContinuousClock.Instant, every interval: Duration) -> Bool {
        let now = ContinuousClock.now
        guard now >= next else { return false }
        next = now + interval
        return true
    }
}

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
