import Glibc

/// Reads one JSON text (RFC 8259) from left to right without building a tree: a message allocates nothing but its
/// strings. Callers bound the nesting by recursing no deeper than the shapes they know.
struct JSONScanner {
    /// Where the text stops being JSON.
    struct Fault: Error, Equatable {
        var offset: Int
    }

    enum Token: Equatable {
        case object, array, string, number, literal
        /// Not JSON; see `notANumber()`.
        case notANumber
    }

    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var fault: Fault { Fault(offset: offset) }

    /// The kind of the next token, after white space.
    mutating func peek() throws(Fault) -> Token {
        skipSpace()
        guard offset < bytes.count else { throw fault }
        switch bytes[offset] {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        case UInt8(ascii: "-"):
            let next = letter(at: offset + 1)
            return next == UInt8(ascii: "i") || next == UInt8(ascii: "n") ? .notANumber : .number
        case UInt8(ascii: "n") where letter(at: offset + 1) != UInt8(ascii: "a"): return .literal
        case UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "i"), UInt8(ascii: "I"): return .notANumber
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .literal
        default: throw fault
        }
    }

    /// Whether nothing but white space is left.
    mutating func isAtEnd() -> Bool {
        skipSpace()
        return offset == bytes.count
    }

    mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return
            }
        }
    }

    /// Takes this byte, after white space, if it comes next.
    mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
        return true
    }

    mutating func expect(_ byte: UInt8) throws(Fault) {
        guard take(byte) else { throw fault }
    }

    /// Reads a string and resolves its escapes.
    mutating func string() throws(Fault) -> String {
        try expect(UInt8(ascii: "\""))
        let start = offset
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\""), bytes[offset] != UInt8(ascii: "\\") {
            guard bytes[offset] >= 0x20 else { throw fault }
            offset += 1
        }
        guard offset < bytes.count else { throw fault }
        if bytes[offset] == UInt8(ascii: "\"") {
            defer { offset += 1 }
            guard let text = text(start..<offset) else { throw fault }
            return text
        }
        return try escapedString(from: start)
    }

    private func text(_ range: Range<Int>) -> String? {
        String(validating: bytes[range], as: UTF8.self)
    }

    private mutating func escapedString(from start: Int) throws(Fault) -> String {
        var unescaped = Array(bytes[start..<offset])
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: unescaped, as: UTF8.self) else { throw fault }
                return text
            case UInt8(ascii: "\\"): unescaped.append(contentsOf: String(try escape()).utf8)
            case 0x20...: unescaped.append(byte)
            default: throw fault
            }
        }
        throw fault
    }

    /// The character after a backslash; surrogates come in pairs.
    private mutating func escape() throws(Fault) -> Unicode.Scalar {
        guard offset < bytes.count else { throw fault }
        let byte = bytes[offset]
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let first = try hexadecimal()
            if let scalar = Unicode.Scalar(first) { return scalar }
            guard (0xD800..<0xDC00).contains(first), offset + 1 < bytes.count,
                bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u")
            else { throw fault }
            offset += 2
            let second = try hexadecimal()
            guard (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            else { throw fault }
            return scalar
        default: throw fault
        }
    }

    private mutating func hexadecimal() throws(Fault) -> UInt32 {
        guard offset + 4 <= bytes.count else { throw fault }
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(bytes[offset])).hexDigitValue else { throw fault }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }

    /// Reads a number. Exact for up to 15 digits and small exponents, as in every reading; the C library reads the
    /// rest. Infinite beyond the range of Double.
    mutating func number() throws(Fault) -> Double {
        skipSpace()
        let start = offset
        let isNegative = offset < bytes.count && bytes[offset] == UInt8(ascii: "-")
        if isNegative { offset += 1 }
        var digits: UInt64 = 0
        var count = 0
        var exponent = 0
        let whole = try takeDigits(&digits, &count)
        guard whole == 1 || bytes[offset - whole] != UInt8(ascii: "0") else { throw fault }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            exponent -= try takeDigits(&digits, &count)
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            var sign = 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "-") || bytes[offset] == UInt8(ascii: "+") {
                sign = bytes[offset] == UInt8(ascii: "-") ? -1 : 1
                offset += 1
            }
            var magnitude: UInt64 = 0
            var length = 0
            _ = try takeDigits(&magnitude, &length)
            exponent += sign * Int(min(magnitude, 100_000))
        }
        // Both operands are exact in a Double: one rounding, hence the correct result (Clinger, 1990).
        if count <= 15, (-22...22).contains(exponent) {
            let magnitude =
                exponent < 0 ? Double(digits) / powerOfTen(-exponent) : Double(digits) * powerOfTen(exponent)
            return isNegative ? -magnitude : magnitude
        }
        return slowNumber(start..<offset)
    }

    /// The number in a text, spelled as in JSON in any locale. White space around it is allowed, since firmware pads
    /// with blanks.
    static func number(in text: String) -> Double? {
        guard text.utf8.count <= longestNumber else { return nil }
        var scanner = JSONScanner(Array(text.utf8))
        guard let number = try? scanner.number(), scanner.isAtEnd() else { return nil }
        return number
    }

    /// Longest text of a number: more than any firmware prints.
    private static let longestNumber = 32

    /// Takes one digit or more.
    private mutating func takeDigits(_ value: inout UInt64, _ count: inout Int) throws(Fault) -> Int {
        let start = offset
        while offset < bytes.count, case let digit = bytes[offset] &- UInt8(ascii: "0"), digit < 10 {
            if count > 0 || digit > 0 { count += 1 }
            if count <= 19 { value = value &* 10 &+ UInt64(digit) }
            offset += 1
        }
        guard offset > start else { throw fault }
        return offset - start
    }

    private func slowNumber(_ range: Range<Int>) -> Double {
        let text = Array(bytes[range]) + [0]
        return text.withUnsafeBufferPointer { text in
            text.withMemoryRebound(to: CChar.self) { strtod($0.baseAddress!, nil) }
        }
    }

    /// Reads `true`, `false` or `null`.
    /// - Returns: nil for `null`.
    mutating func literal() throws(Fault) -> Bool? {
        skipSpace()
        if takeWord("null") { return nil }
        if takeWord("true") { return true }
        if takeWord("false") { return false }
        throw fault
    }

    private mutating func takeWord(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard offset + length <= bytes.count else { return false }
        for index in 0..<length where bytes[offset + index] != word.utf8Start[index] { return false }
        offset += length
        return true
    }

    /// Passes over printf's `nan`, `inf` or `infinity`, in either case and with a minus sign. Not JSON, but firmware
    /// sends it for one broken probe, and the other probes' values count.
    mutating func notANumber() throws(Fault) {
        skipSpace()
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        guard takeLetters("nan") || takeLetters("infinity") || takeLetters("inf") else { throw fault }
    }

    private mutating func takeLetters(_ word: StaticString) -> Bool {
        for index in 0..<word.utf8CodeUnitCount where letter(at: offset + index) != word.utf8Start[index] {
            return false
        }
        offset += word.utf8CodeUnitCount
        return true
    }

    /// The byte at an index, lower case if it is a letter; nil past the end.
    private func letter(at index: Int) -> UInt8? {
        index < bytes.count ? bytes[index] | 0x20 : nil
    }

    /// Passes over a value, nested no deeper than `depth`.
    mutating func skipValue(depth: Int = 16) throws(Fault) {
        guard depth > 0 else { throw fault }
        switch try peek() {
        case .string: _ = try string()
        case .number: _ = try number()
        case .literal: _ = try literal()
        case .notANumber: try notANumber()
        case .array:
            try expect(UInt8(ascii: "["))
            if take(UInt8(ascii: "]")) { return }
            repeat { try skipValue(depth: depth - 1) } while take(UInt8(ascii: ","))
            try expect(UInt8(ascii: "]"))
        case .object:
            try expect(UInt8(ascii: "{"))
            if take(UInt8(ascii: "}")) { return }
            repeat {
                _ = try string()
                try expect(UInt8(ascii: ":"))
                try skipValue(depth: depth - 1)
            } while take(UInt8(ascii: ","))
            try expect(UInt8(ascii: "}"))
        }
    }
}

/// 10 to the power of 0...22, all exact.
private func powerOfTen(_ exponent: Int) -> Double {
    let powers: InlineArray<23, Double> = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
    return powers[exponent]
}
