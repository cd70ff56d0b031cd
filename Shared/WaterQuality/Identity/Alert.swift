/// One message to one person about one parameter of one device.
package enum Alert {
    package struct ID: RawRepresentable, Hashable, Comparable, Sendable {
        package let rawValue: Int64

        package init(rawValue: Int64) { self.rawValue = rawValue }

        package static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
    }

    /// What an episode and its alerts are about. The raw values are stored.
    package enum Kind: Int16, CaseIterable, Sendable {
        /// A value outside of the person's range.
        case range = 0
    }
}
