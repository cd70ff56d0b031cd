import FoundationEssentials

/// The text form of keys in files.
package enum KeyText {
    package static let keyLength = 32

    /// - Returns: The 32 bytes that 64 hexadecimal digits or a base64 text stand for; nil for anything else.
    package static func bytes(_ text: String) -> [UInt8]? {
        let bytes = text.utf8.count == keyLength * 2 ? hexadecimal(text) : Data(base64Encoded: text).map(Array.init)
        return bytes?.count == keyLength ? bytes : nil
    }

    private static func hexadecimal(_ text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap(digit)
        guard digits.count == text.utf8.count else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Sequence<UInt8> {
    /// Base64 for URLs without padding (RFC 4648, section 5): valid in URLs, MQTT and shells as it is.
    package var base64URL: String {
        String(
            Data(self).base64EncodedString().compactMap { character -> Character? in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }
}

/// Binary values as other programs write them.
package enum Base64Text {
    /// - Parameter text: Base64 in either alphabet (RFC 4648, sections 4 and 5), padded or not.
    /// - Returns: nil for anything else.
    package static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
        var standard = digits.map { (digit: UInt8) -> UInt8 in
            switch digit {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: digit
            }
        }
        guard text.utf8.count - standard.count <= 2 else { return nil }
        while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: String(decoding: standard, as: UTF8.self)).map(Array.init)
    }
}
