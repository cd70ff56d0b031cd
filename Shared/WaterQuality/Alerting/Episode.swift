package import Instants

/// A stretch of time in which a value was out of range on one side.
package struct Episode: Hashable, Sendable {
    package struct ID: RawRepresentable, Hashable, Comparable, Sendable {
        package let rawValue: Int64

        package init(rawValue: Int64) { self.rawValue = rawValue }

        package static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
    }

    package var side: Side
    /// The event time of the first reading out of range: what a message calls "since".
    package var openedAt: Timestamp
    /// The value furthest out so far.
    package var worst: Steps
    /// Whether an alert was made for this episode. The next one is then a reminder.
    package var isAlerted: Bool
    /// Whether the last attempt to notify found no usable endpoint.
    package var noRecipient: Bool
    /// Whether an alert was made for a value beyond the critical limit.
    package var isCritical: Bool

    package init(
        side: Side, openedAt: Timestamp, worst: Steps, isAlerted: Bool = false, noRecipient: Bool = false,
        isCritical: Bool = false
    ) {
        self.side = side
        self.openedAt = openedAt
        self.worst = worst
        self.isAlerted = isAlerted
        self.noRecipient = noRecipient
        self.isCritical = isCritical
    }

    mutating func keepWorst(_ value: Steps) {
        worst = side == .high ? max(worst, value) : min(worst, value)
    }
}

extension Episode {
    package typealias Reference = WaterQuality.Reference<ID>
}
