/// Tells visible characters from those that only change how others are shown: controls, writing directions, marks
/// without width. These make a name look like another one, or like nothing, and a terminal obeys them.
package enum VisibleText {
    /// A name on one line, without white space at its ends.
    /// - Parameter longest: In code points, as the schema counts.
    /// - Returns: nil unless it has that many characters, at least one, all of them visible.
    package static func line(_ text: String, longest: Int) -> String? {
        let tail = text.drop(while: \.isWhitespace)
        let line = String(tail.reversed().drop(while: \.isWhitespace).reversed())
        return (1...longest).contains(line.unicodeScalars.count) && isVisible(line) ? line : nil
    }

    /// Whether each character is visible, or joins two that are.
    package static func isVisible(_ text: String) -> Bool {
        var reader = Reader()
        return text.unicodeScalars.allSatisfy { !reader.isHidden($0) } && !reader.endsInJoiner
    }

    /// The text with its invisible characters spelled out; line ends stay.
    /// - Parameter spelling: Spells out one scalar.
    package static func spelledOut(_ text: String, _ spelling: (Unicode.Scalar) -> String) -> String {
        guard !isVisible(text) else { return text }
        var reader = Reader()
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar != "\n", reader.isHidden(scalar) {
                result += spelling(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Reads a text from its beginning. A joiner in emoji and in some scripts belongs to the character before it.
    private struct Reader {
        private var previous: Unicode.Scalar?

        var endsInJoiner: Bool { previous.map(Self.isJoiner) ?? false }

        mutating func isHidden(_ scalar: Unicode.Scalar) -> Bool {
            defer { previous = scalar }
            let isJoiner = Self.isJoiner(scalar)
            guard isJoiner || Self.isVariation(scalar) else { return Self.isUnseen(scalar) }
            guard let previous else { return true }
            if Self.isVariation(previous) { return !isJoiner }
            // ASCII: only keycaps take a variation selector, and no ASCII character takes a joiner.
            return Self.isUnseen(previous) || previous.isASCII && (isJoiner || !Self.keycaps.contains(previous))
        }

        private static let keycaps = Set("0123456789#*".unicodeScalars)

        private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
            default: scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
            }
        }

        private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }
        private static func isVariation(_ scalar: Unicode.Scalar) -> Bool {
            ("\u{FE00}"..."\u{FE0F}").contains(scalar)
        }
    }
}
