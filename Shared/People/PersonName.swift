/// The name by which others who share a device see a person.
package struct PersonName: Hashable, Sendable {
    /// The longest name, in code points as the schema counts.
    package static let longest = 40
    package let text: String

    /// Reads a name, without white space at its ends.
    /// - Returns: nil unless the name has 1 to 40 characters on one line, all of them visible.
    package init?(_ text: String) {
        guard let text = VisibleText.line(text, longest: Self.longest) else { return nil }
        self.text = text
    }
}
