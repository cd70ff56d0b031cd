/// Whoever a request is sent for: look-ups of names are shared out among them.
package struct AskerID: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The service itself, for what it asks on behalf of everybody: nobody's look-ups hold that up. Accounts are numbered from 1.
    package static let service = AskerID(rawValue: 0)
}
