/// How a value is written in its place, so that it cannot end what stands around it.
enum TemplateEncoding: Hashable {
    case plain
    /// Percent-encoded (RFC 3986): nothing but unreserved characters.
    case percent
    /// Between quotation marks of JSON.
    case quoted
    /// A whole value of JSON, `null` where there is none.
    case json
    /// The same, percent-encoded.
    case jsonInPercent

    /// The value in at most so many bytes, whole characters. There is always room for a number (`MessageTemplate.leastRoom`).
    func bytes(of value: TemplateValue?, atMost most: Int) -> [UInt8] {
        switch self {
        case .plain, .percent, .quoted: return units(of: value?.text ?? "", atMost: most)
        case .json, .jsonInPercent: break
        }
        guard case .text(let text) = value else {
            let literal = Array((value?.text ?? "null").utf8)
            return literal.count <= most ? literal : Array("null".utf8)
        }
        let quotation = mark(UInt8(ascii: "\""))
        return quotation + units(of: text, atMost: most - 2 * quotation.count) + quotation
    }

    private func units(of text: String, atMost most: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let unit = unit(of: scalar)
            guard bytes.count + unit.count <= most else { break }
            bytes += unit
        }
        return bytes
    }

    private func unit(of scalar: Unicode.Scalar) -> [UInt8] {
        switch self {
        case .plain: Array(scalar.utf8)
        case .percent: scalar.utf8.flatMap(mark)
        case .quoted, .json: Self.escaped(scalar)
        case .jsonInPercent: Self.escaped(scalar).flatMap(mark)
        }
    }

    /// A byte of the result, percent-encoded where the result is.
    private func mark(_ byte: UInt8) -> [UInt8] {
        guard self == .percent || self == .jsonInPercent else { return [byte] }
        let isUnreserved =
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._~".utf8.contains(byte)
        return isUnreserved ? [byte] : [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 0xF)]]
    }

    /// A character between quotation marks of JSON.
    private static func escaped(_ scalar: Unicode.Scalar) -> [UInt8] {
        switch scalar {
        case "\"", "\\": [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
        case "\n": Array("\\n".utf8)
        case "\u{0}"..<" ": Array("\\u00".utf8) + [digits[Int(scalar.value >> 4)], digits[Int(scalar.value & 0xF)]]
        default: Array(scalar.utf8)
        }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
