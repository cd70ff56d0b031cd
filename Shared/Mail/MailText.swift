import FoundationEssentials
import Instants

/// How text is written into a mail.
enum MailText {
    /// A header's text: as it is where it is short and ASCII, otherwise in encoded words (RFC 2047). Line ends and other control
    /// characters become blanks, so that no text begins another header.
    static func header(_ text: String) -> String {
        let clean = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
        let isPlain = clean.utf8.allSatisfy { (0x20...0x7e).contains($0) && !specials.contains($0) }
        if isPlain, clean.utf8.count <= 70, !clean.isEmpty { return clean }
        return chunks(of: clean).map { "=?UTF-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    /// Bytes that have a meaning in headers with addresses, or begin an encoded word.
    private static let specials = Set("()<>[]:;@\\,\"=?".utf8)

    /// Pieces of at most 39 bytes between characters: a line with an encoded word has at most 76 characters, a header's name included.
    private static func chunks(of text: String) -> [[UInt8]] {
        var chunks: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if chunks[chunks.count - 1].count + bytes.count > 39 { chunks.append([]) }
            chunks[chunks.count - 1] += bytes
        }
        return chunks
    }

    /// Lines of at most 76 characters of ASCII, ended by CRLF (RFC 2045, section 6.7).
    static func quotedPrintable(_ text: String) -> String {
        let hexadecimal = Array("0123456789ABCDEF".utf8)
        var lines: [String] = []
        let unified = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        for line in unified.split(separator: "\n", omittingEmptySubsequences: false) {
            var written: [UInt8] = []
            let bytes = Array(line.utf8)
            for (index, byte) in bytes.enumerated() {
                let isLast = index == bytes.count - 1
                let isPlain =
                    (0x21...0x7e).contains(byte) && byte != UInt8(ascii: "=")
                    || byte == UInt8(ascii: " ") && !isLast
                let piece =
                    isPlain ? [byte] : [UInt8(ascii: "="), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
                // A soft break takes the 76th place.
                if written.count + piece.count > 75 {
                    lines.append(String(decoding: written, as: UTF8.self) + "=")
                    written = []
                }
                written += piece
            }
            lines.append(String(decoding: written, as: UTF8.self))
        }
        return lines.joined(separator: "\r\n")
    }

    static func html(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// A moment in UTC as mail writes it (RFC 5322, section 3.3), such as `Sat, 28 Nov 2026 21:05:09 +0000`.
    /// - Parameter time: In seconds since 1970.
    static func date(_ time: Int64) -> String {
        let civil = Timestamp(unixSeconds: time).civilTime()
        // 1970 began on a Thursday.
        let weekday = weekdays[Int(((time >= 0 ? time : time - 86_399) / 86_400 % 7 + 7) % 7)]
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(weekday), \(two(civil.day)) \(months[civil.month - 1]) \(civil.year) "
            + "\(two(civil.hour)):\(two(civil.minute)):\(two(civil.second)) +0000"
    }

    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
