/// The name that a person gives a device.
package struct DeviceName: Hashable, Sendable {
    /// The longest name, in code points as the schema counts.
    package static let longest = 64
    package let text: String

    /// Reads a name, without white space at its ends.
    /// - Returns: nil unless the name has 1 to 64 characters on one line, all of them visible.
    package init?(_ text: String) {
        guard let text = VisibleText.line(text, longest: Self.longest) else { return nil }
        self.text = text
    }
}
