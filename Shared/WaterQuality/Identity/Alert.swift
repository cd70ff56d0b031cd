/// One message to one person about one parameter of one device.
package enum Alert {
    package struct ID: RawRepresentable, Hashable, Comparable, Sendable {
        package let rawValue: Int64

        package init(rawValue: Int64) { self.rawValue = rawValue }

        package static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
    }

    /// What an episode and its alerts are about. The raw values are stored.
    package enum Kind: String, Sendable {
        /// A value outside of the person's range.
        case range
        /// Asked for by a person, about nothing.
        case test
    }

    /// What an alert tells. The raw values are stored, and a promise to receivers.
    package enum Purpose: String, CaseIterable, Sendable, Encodable {
        /// The first of an episode.
        case alarm
        /// The episode goes on.
        case reminder
        /// The episode is over.
        case recovery
        case test
    }

    /// How far an alert got. The raw values are stored.
    package enum State: String, Sendable, Encodable {
        /// Not expanded to deliveries yet; then `sending` or, without a usable endpoint, `undelivered`.
        case decided
        /// A delivery is pending; then `delivered` or `undelivered`.
        case sending
        /// All deliveries have ended, at least one accepted.
        case delivered
        case undelivered
        /// The device was unlinked, or a test withdrawn, before all deliveries had ended.
        case cancelled
    }
}
