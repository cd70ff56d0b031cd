/// The reason why a text is no template, with the line that it is found in.
package struct TemplateFault: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The text has more bytes than a template may.
        case tooLong
        /// `{{` without `}}` on the same line.
        case unclosed
        /// Not a name of ours; the text where it is short and of their letters, since it could be anything.
        case unknownName(String?)
        case unknownFilter(String?)
        /// A section within another one.
        case nested
        /// `{{#if ...}}` without `{{/if}}`.
        case unendedSection
        /// `{{else}}` or `{{/if}}` outside of a section, or a second `{{else}}`.
        case stray
        /// A text that is not JSON there.
        case notJSON
        /// A text that ends before the JSON does.
        case unendedJSON
        /// A place where JSON has no value.
        case noPlace
        /// `| json`, which brings quotation marks, between quotation marks.
        case quotedTwice
        /// `| url` without quotation marks around it.
        case unquoted
        /// A section with which the rest is JSON and without which it is not, or the other way round.
        case uneven
        /// A character that a form has to encode.
        case notEncoded
    }

    package let reason: Reason
    /// Counted from 1.
    package let line: Int

    package init(_ reason: Reason, line: Int) {
        self.reason = reason
        self.line = line
    }
}
