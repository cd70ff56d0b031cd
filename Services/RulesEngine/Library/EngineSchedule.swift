import WaterQuality

/// When an engine looks at the queue without having been notified.
struct EngineSchedule {
    let interval: Duration
    private var nextLook = ContinuousClock.now
    private var nextMeasurement = ContinuousClock.now
    private var nextLookAtOthers = ContinuousClock.now
    private var nextFullLook = ContinuousClock.now
    private var nextFloor = ContinuousClock.now

    init(interval: Duration) { self.interval = interval }

    /// Once an interval.
    mutating func isTimeToLook() -> Bool { isTime(&nextLook, every: interval) }

    /// Whether the next look is a full one, which ignores the floors and reads past every batch that was taken and
    /// cannot be vacuumed yet.
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
