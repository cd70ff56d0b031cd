import Instants
import WaterQuality

/// The devices of a slot whose clock is wrong or in doubt. Nearly always there are none, and then a message costs
/// nothing here.
///
/// The engine's memory of a device is void once another engine decides in its slot. This memory outlives it, because
/// receipts tell of a clock whichever engine decides. A finding is stored when it changes, so an engine that starts
/// need not wait for the proof again.
struct DeviceClocks: Sendable {
    private struct Tracked {
        var clock = DeviceClock()
        /// The finding that is stored.
        var noted: DeviceClock.Finding?
    }

    private var tracked: [Device.ID: Tracked] = [:]
    /// Findings that are not stored yet.
    private(set) var changes: [Device.ID: DeviceClock.Finding] = [:]

    var count: Int { tracked.count }

    /// Learns from a message.
    /// - Parameters:
    ///   - newest: The latest time that the device has sent before.
    ///   - heardAt: A receipt of one of its messages, where one is known.
    /// - Returns: The device's own lag, and whether its clock was put back before this message, as it seems.
    mutating func lag(
        of device: Device.ID, at time: Timestamp, receivedAt: Timestamp, newest: @autoclosure () -> Timestamp? = nil,
        heardAt: Timestamp? = nil
    ) -> (lag: Duration, isStep: Bool) {
        let isRight = DeviceClock.isRight(at: time, receivedAt: receivedAt)
        if isRight, tracked.isEmpty { return (.zero, false) }
        guard var known = tracked[device] ?? (isRight ? nil : Tracked()) else { return (.zero, false) }
        let isStep = known.clock.observe(time, receivedAt: receivedAt, newest: newest(), heardAt: heardAt)
        // A lag that this message has disproved is shown to nobody any more, whatever it is now.
        let isDisproved = known.noted?.isLag == true && known.clock.lag == .zero
        if let finding = known.clock.finding ?? (isDisproved ? .unproven : nil), finding.isNews(after: known.noted) {
            if finding != .right || known.noted != nil { changes[device] = finding }
            known.noted = finding
        }
        // A right clock needs no memory.
        tracked[device] = known.clock.finding == .right ? nil : known
        return (known.clock.lag, isStep)
    }

    /// The device's own lag, as far as it is known.
    func lag(of device: Device.ID) -> Duration { tracked[device]?.clock.lag ?? .zero }

    /// Takes over the stored finding for a device that was not remembered; `nil` when no finding is stored.
    mutating func recall(_ device: Device.ID, _ written: DeviceClock.Finding?) {
        guard written != nil || tracked[device] != nil else { return }
        var known = tracked[device] ?? Tracked()
        switch written {
        case .off(let lag), .stepped(let lag): known.clock.prove(lag)
        case nil where known.noted != nil, .right: known.clock.prove(nil)
        case nil, .unproven: break
        }
        known.noted = written
        tracked[device] = known
    }

    mutating func takeChanges() -> [Device.ID: DeviceClock.Finding] {
        defer { changes.removeAll() }
        return changes
    }
}

extension DeviceClock.Finding {
    /// Whether times are corrected by it.
    fileprivate var isLag: Bool {
        switch self {
        case .off, .stepped: true
        case .right, .unproven: false
        }
    }

    /// Whether the finding differs from the one before. A drifting clock is news with every minute.
    fileprivate func isNews(after noted: DeviceClock.Finding?) -> Bool {
        switch (self, noted) {
        case (.off(let lag), .off(let before)), (.stepped(let lag), .off(let before)),
            (.off(let lag), .stepped(let before)), (.stepped(let lag), .stepped(let before)):
            abs(lag.components.seconds - before.components.seconds) >= 60
        case (_, let noted): self != noted
        }
    }
}
