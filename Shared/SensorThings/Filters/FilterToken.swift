import Instants

/// A piece of a filter.
enum FilterToken: Hashable, Sendable {
    /// A name, an operator or a path: `Datastream/id`.
    case word(String)
    case number(Double)
    case text(String)
    case time(Timestamp)
    /// `geography'...'` and `duration'...'`
    case typed(String, String)
    case open, close, comma, minus
}

/// Reads the pieces of a filter from left to right.
struct FilterLexer {
    private let bytes: [UInt8]
    /// The place of the next byte.
    private(set) var at = 0
    private let option: String

    init(_ text: String, of option: String) {
        bytes = Array(text.utf8)
        self.option = option
    }

    /// - Returns: nil at the end.
    mutating func next() throws(SensorThingsFault) -> (token: FilterToken, at: Int)? {
        while let byte = peek(), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { at += 1 }
        let start = at
        guard let byte = peek() else { return nil }
        let token: FilterToken
        switch byte {
        case UInt8(ascii: "("): token = single(.open)
        case UInt8(ascii: ")"): token = single(.close)
        case UInt8(ascii: ","): token = single(.comma)
        case UInt8(ascii: "-"): token = single(.minus)
        case UInt8(ascii: "'"): token = .text(try string())
        case UInt8(ascii: "0")...UInt8(ascii: "9"): token = try numberOrTime()
        case _ where Self.isWord(byte): token = try word()
        default: throw fault("unexpected-character", start, String(decoding: bytes[start...].prefix(8), as: UTF8.self))
        }
        return (token, start)
    }

    func fault(_ code: String, _ at: Int, _ subject: String = "") -> SensorThingsFault {
        SensorThingsFault(.malformed, code, subject.isEmpty ? option : subject, at: at)
    }

    private func peek(_ ahead: Int = 0) -> UInt8? { at + ahead < bytes.count ? bytes[at + ahead] : nil }

    private mutating func single(_ token: FilterToken) -> FilterToken {
        at += 1
        return token
    }

    /// The text up to the next single quotation mark; two of them stand for one.
    private mutating func string() throws(SensorThingsFault) -> String {
        let start = at
        at += 1
        var text: [UInt8] = []
        while let byte = peek() {
            at += 1
            if byte == 0 { throw fault("nul-character", start) }
            guard byte == UInt8(ascii: "'") else {
                text.append(byte)
                continue
            }
            guard peek() == byte else { return String(decoding: text, as: UTF8.self) }
            at += 1
            text.append(byte)
        }
        throw fault("text-without-end", start)
    }

    /// Four digits and a dash begin a time: subtraction is written `sub`.
    private mutating func numberOrTime() throws(SensorThingsFault) -> FilterToken {
        let start = at
        let isTime = peek(4) == UInt8(ascii: "-") && (0..<4).allSatisfy { peek($0).map(Self.isDigit) ?? false }
        while let byte = peek() {
            let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
            let before = at > start ? bytes[at - 1] | 0x20 : 0
            guard
                Self.isDigit(byte) || byte == UInt8(ascii: ".") || Self.isLetter(byte)
                    || isTime && (isSign || byte == UInt8(ascii: ":")) || isSign && before == UInt8(ascii: "e")
            else { break }
            at += 1
        }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        if isTime {
            guard let time = Timestamp(text) else { throw fault("not-a-time", start, text) }
            return .time(time)
        }
        guard text.utf8.allSatisfy({ !Self.isLetter($0) || $0 | 0x20 == UInt8(ascii: "e") }), let number = Double(text),
            number.isFinite
        else { throw fault("not-a-number", start, text) }
        return .number(number)
    }

    private mutating func word() throws(SensorThingsFault) -> FilterToken {
        let start = at
        while let byte = peek(), Self.isWord(byte) || Self.isDigit(byte) { at += 1 }
        let word = String(decoding: bytes[start..<at], as: UTF8.self)
        if peek() == UInt8(ascii: "'") { return .typed(word, try string()) }
        return .word(word)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        isLetter(byte)
            || [UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "$")].contains(
                byte)
    }
}
