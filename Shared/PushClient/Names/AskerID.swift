/// Whoever a request is sent for: look-ups of names are shared out among them.
package struct AskerID: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}
