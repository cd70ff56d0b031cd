/// A person who owns devices.
package enum Account {
    package struct ID: RawRepresentable, Hashable, Comparable, Sendable {
        package let rawValue: Int64

        package init(rawValue: Int64) { self.rawValue = rawValue }

        package static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
    }
}
