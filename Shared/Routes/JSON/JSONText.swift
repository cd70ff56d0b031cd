package import Instants

/// JSON as UTF-8 text without white space, written from left to right: large answers are written like this, without a
/// tree of values in between.
package struct JSONText: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func appendNull() { bytes += "null".utf8 }
    package mutating func append(_ value: Bool) { bytes += (value ? "true" : "false").utf8 }
    package mutating func append(_ value: Int64) { bytes += String(value).utf8 }

    /// Appends the shortest decimal that reads back as the same number, or `null` for a number that is not finite.
    package mutating func append(_ value: Double) {
        guard value.isFinite else { return appendNull() }
        let scaled = (value * 10_000).rounded()
        // Four decimals are the shortest form if they give the same number, because fifteen digits distinguish any two
        // numbers.
        if scaled.magnitude < 1e15, scaled / 10_000 == value, value != 0 {
            append(tenThousandths: Int64(scaled))
        } else {
            bytes += value.description.utf8
        }
    }

    /// Appends a text in quotation marks.
    package mutating func append(_ text: String) {
        appendByte("\"")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += "\\\"".utf8
            case UInt8(ascii: "\\"): bytes += "\\\\".utf8
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case UInt8(ascii: "\r"): bytes += "\\r".utf8
            case UInt8(ascii: "\t"): bytes += "\\t".utf8
            case ..<0x20:
                bytes += "\\u00".utf8
                bytes.append(Self.digit(byte >> 4))
                bytes.append(Self.digit(byte & 0x0F))
            default: bytes.append(byte)
            }
        }
        appendByte("\"")
    }

    /// Appends a time as ISO 8601 in quotation marks.
    package mutating func append(_ time: Timestamp) {
        appendByte("\"")
        time.appendISO8601(to: &bytes)
        appendByte("\"")
    }

    package mutating func append(_ value: JSON) {
        switch value {
        case .null: appendNull()
        case .bool(let value): append(value)
        case .integer(let value): append(value)
        case .number(let value): append(value)
        case .string(let text): append(text)
        case .array(let elements): appendList(elements) { $0.append($1) }
        case .object(let members):
            appendByte("{")
            for (index, member) in members.enumerated() {
                if index > 0 { appendByte(",") }
                append(member.name)
                appendByte(":")
                append(member.value)
            }
            appendByte("}")
        }
    }

    package mutating func appendList<Element>(
        _ elements: [Element], _ appendElement: (inout JSONText, Element) -> Void
    ) {
        appendByte("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { appendByte(",") }
            appendElement(&self, element)
        }
        appendByte("]")
    }

    /// Appends a text that is JSON already.
    mutating func append(written: [UInt8]) { bytes += written }
    mutating func append(written: StaticString) {
        bytes += UnsafeBufferPointer(start: written.utf8Start, count: written.utf8CodeUnitCount)
    }

    private mutating func appendByte(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

    /// Appends a number with one to four decimals.
    private mutating func append(tenThousandths value: Int64) {
        if value < 0 { appendByte("-") }
        let (whole, part) = value.magnitude.quotientAndRemainder(dividingBy: 10_000)
        append(digits: whole)
        appendByte(".")
        var rest = part
        var unit: UInt64 = 1_000
        repeat {
            bytes.append(Self.digit(UInt8(rest / unit)))
            rest %= unit
            unit /= 10
        } while rest > 0
    }

    private mutating func append(digits number: UInt64) {
        if number >= 10 { append(digits: number / 10) }
        bytes.append(Self.digit(UInt8(number % 10)))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}
