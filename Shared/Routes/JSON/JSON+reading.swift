/// Why a text is not valid JSON, or not JSON that we accept.
package enum JSONFault: String, Error, Hashable, Sendable, CaseIterable {
    /// A violation of RFC 8259's grammar.
    case syntax
    /// Invalid UTF-8, or a `\u` escape with half of a surrogate pair.
    case encoding
    /// Arrays and objects nested deeper than `JSON.greatestDepth`.
    case depth
    /// A number beyond the range of a double.
    case number
    /// Two members of one name in an object: a check and the later use could read different ones.
    case duplicate
}

extension JSON {
    package static let greatestDepth = 32

    /// Reads one value with only white space around it.
    ///
    /// Stricter than the usual readers, on purpose: no byte order mark, no repeated member, no number beyond a double.
    package init(reading bytes: [UInt8]) throws(JSONFault) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .encoding }
        var reader = JSONReader(Array(text.utf8))
        self = try reader.document()
    }
}

/// A recursive descent over valid UTF-8; its depth is bounded, and so is the stack.
private struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() throws(JSONFault) -> JSON {
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw .syntax }
        return value
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSON {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(JSONFault) -> JSON {
        guard depth <= JSON.greatestDepth else { throw .depth }
        position += 1
        var members: [JSON.Member] = []
        var names: Set<String> = []
        skipSpace()
        if skip(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw .syntax }
            let name = try string()
            guard names.insert(name).inserted else { throw .duplicate }
            skipSpace()
            guard skip(UInt8(ascii: ":")) else { throw .syntax }
            members.append(JSON.Member(name, try value(depth: depth)))
            skipSpace()
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else { throw .syntax }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONFault) -> JSON {
        guard depth <= JSON.greatestDepth else { throw .depth }
        position += 1
        var elements: [JSON] = []
        skipSpace()
        if skip(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            elements.append(try value(depth: depth))
            skipSpace()
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw .syntax }
        return .array(elements)
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONFault) -> JSON {
        for index in 0..<word.utf8CodeUnitCount {
            guard skip(word.utf8Start[index]) else { throw .syntax }
        }
        return value
    }

    private mutating func number() throws(JSONFault) -> JSON {
        let start = position
        var isInteger = true
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits() }
        if skip(UInt8(ascii: ".")) {
            isInteger = false
            try digits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isInteger = false
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let value = Int64(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw .number }
        return .number(value)
    }

    private mutating func digits() throws(JSONFault) {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw .syntax }
    }

    private mutating func string() throws(JSONFault) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += try escaped()
            case ..<0x20: throw .syntax
            default: text.append(byte)
            }
        }
        throw .syntax
    }

    private mutating func escaped() throws(JSONFault) -> [UInt8] {
        guard let byte = peek else { throw .syntax }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): break
        default: throw .syntax
        }
        var code = try codeUnit()
        if (0xD800...0xDBFF).contains(code) {
            guard skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else { throw .encoding }
            let low = try codeUnit()
            guard (0xDC00...0xDFFF).contains(low) else { throw .encoding }
            code = 0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw .encoding }
        return Array(String(scalar).utf8)
    }

    /// Four hexadecimal digits.
    private mutating func codeUnit() throws(JSONFault) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = hexadecimalDigit(byte) else { throw .syntax }
            code = code << 4 + UInt32(digit)
            position += 1
        }
        return code
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }
}

/// The value of a hexadecimal digit in either case.
func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
