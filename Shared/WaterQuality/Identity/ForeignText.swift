/// What somebody unknown wrote, such as a device's key may: fit to be shown to people among other words.
package enum ForeignText {
    /// On one line, cut, and without what moves a cursor, turns the direction of other text or hides.
    /// - Parameter longest: In Unicode scalars; an ellipsis follows what is cut.
    package static func shown(_ text: some StringProtocol, longest: Int) -> String {
        var shown = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            guard let visible = visible(scalar) else { continue }
            if count == longest {
                shown.append("…")
                break
            }
            shown.append(visible)
            count += 1
        }
        return String(shown)
    }

    /// - Parameter bytes: UTF-8; what is none shows as U+FFFD.
    package static func shown(_ bytes: some Collection<UInt8>, longest: Int) -> String {
        shown(String(decoding: bytes, as: UTF8.self), longest: longest)
    }

    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.properties.generalCategory {
        case .lineSeparator, .paragraphSeparator: " "
        case .control: ["\t", "\n", "\r"].contains(scalar) ? " " : nil
        // Bidi controls, joiners, tags and other marks that nobody sees.
        case .format, .surrogate, .privateUse, .unassigned, .enclosingMark: nil
        default: scalar.properties.isDefaultIgnorableCodePoint ? nil : scalar
        }
    }
}
