/// The two ways in which text messages are written (3GPP TS 23.038 and 23.040). One character that the brief one does not have makes all of
/// them long.
package enum TextAlphabet: Sendable {
    /// GSM 7-bit: 160 septets, or 153 in each of several segments.
    case brief
    /// UCS-2: 70 units of 16 bits, or 67 in each of several segments.
    case wide

    package init(of text: String) { self = text.unicodeScalars.allSatisfy { Self.septets($0) != nil } ? .brief : .wide }

    private var alone: Int { self == .brief ? 160 : 70 }
    private var inEach: Int { self == .brief ? 153 : 67 }

    /// The number of segments that a text takes. No character is divided between two.
    package static func segments(of text: String) -> Int {
        let alphabet = TextAlphabet(of: text)
        let sizes = text.unicodeScalars.map { alphabet == .brief ? septets($0) ?? 0 : UTF16.width($0) }
        guard sizes.reduce(0, +) > alphabet.alone else { return 1 }
        var (segments, used) = (1, 0)
        for size in sizes {
            if used + size > alphabet.inEach { (segments, used) = (segments + 1, 0) }
            used += size
        }
        return segments
    }

    /// A text in characters of the brief alphabet that look alike; nil where some have none, as in Japanese.
    package static func look(of text: String) -> String? {
        var look = ""
        for scalar in text.unicodeScalars {
            if septets(scalar) != nil {
                look.unicodeScalars.append(scalar)
            } else if let alike = alike[scalar] {
                look += alike
            } else {
                return nil
            }
        }
        return look
    }

    private static func septets(_ scalar: Unicode.Scalar) -> Int? {
        basic.contains(scalar) ? 1 : extended.contains(scalar) ? 2 : nil
    }

    private static let basic = Set(
        ("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿"
            + "abcdefghijklmnopqrstuvwxyzäöñüà").unicodeScalars)
    private static let extended = Set("\u{c}^{}\\[~]|€".unicodeScalars)

    private static let alike: [Unicode.Scalar: String] = [
        "á": "a", "â": "a", "ã": "a", "ç": "c", "ê": "e", "ë": "e", "í": "i", "î": "i", "ï": "i", "ó": "o", "ô": "o",
        "õ": "o", "ú": "u", "û": "u", "À": "A", "Á": "A", "Â": "A", "Ã": "A", "È": "E", "Ê": "E", "Ë": "E", "Ì": "I",
        "Í": "I", "Î": "I", "Ï": "I", "Ò": "O", "Ó": "O", "Ô": "O", "Õ": "O", "Ù": "U", "Ú": "U", "Û": "U", "ẞ": "ß",
        "\u{a0}": " ", "\u{202f}": " ", "\t": " ", "–": "-", "—": "-", "−": "-", "‘": "'", "’": "'", "‚": "'",
        "“": "\"", "”": "\"", "„": "\"", "«": "\"", "»": "\"", "…": "...", "•": "-", "·": "-", "×": "x", "≤": "<=",
        "≥": ">=", "°": "", "º": "o", "ª": "a", "µ": "u", "μ": "u", "²": "2", "³": "3", "⁻": "-", "₂": "2", "₃": "3",
        "₄": "4", "⁺": "+",
    ]
}
