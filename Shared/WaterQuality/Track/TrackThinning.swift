package import Instants

/// Decides which positions of a device are kept: those that say something new, and one an hour of what stands still, so
/// that a kept position holds for the readings after it for `holds` at most.
package struct TrackThinning: Sendable {
    /// Nearer than this is where the device was before; farther where the accuracy of either position is worse.
    package static let step = 15.0
    /// A slower device has moved after `pause` by this many metres, or a third of the worse accuracy.
    package static let drift = 5.0
    package static let pause = Duration.seconds(300)
    /// Longest time for which a kept position stands for later readings.
    package static let holds = Duration.seconds(3_600)
    /// Two kept positions are this far apart in time, however fast a device moves and sends.
    package static let closest = Duration.seconds(5)

    /// Why a position is kept.
    package enum Reason: Equatable, Sendable {
        /// Nothing is known of where the device was.
        case first
        /// The device is farther away than `step`.
        case moved
        /// The device has moved slowly.
        case drifted
        /// The device is where it was: the kept position would not hold any longer.
        case still
    }

    private var last: (position: Position, at: Timestamp)?

    package init() {}

    /// Takes a position; backlogs come in any order, so that time counts in both directions.
    /// - Returns: Why it is kept; nil where it is not.
    package mutating func take(_ position: Position, at time: Timestamp) -> Reason? {
        let reason = reason(to: position, at: time)
        if reason != nil { last = (position, time) }
        return reason
    }

    private func reason(to position: Position, at time: Timestamp) -> Reason? {
        guard let last else { return .first }
        let apart = time > last.at ? time - last.at : last.at - time
        guard apart >= Self.closest else { return nil }
        let distance = last.position.distance(to: position)
        let accuracy = Double(max(last.position.accuracy ?? 0, position.accuracy ?? 0))
        if distance >= max(Self.step, accuracy) { return .moved }
        if apart >= Self.pause, distance >= max(Self.drift, accuracy / 3) { return .drifted }
        return apart >= Self.holds ? .still : nil
    }
}
