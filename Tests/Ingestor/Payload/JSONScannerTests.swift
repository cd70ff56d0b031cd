import Glibc
import TestSupport
import Testing

@testable import Ingestor

@Suite struct JSONScannerTests {
    static func number(_ text: String) throws -> Double {
        var scanner = JSONScanner(Array(text.utf8))
        let value = try scanner.number()
        // Nothing may be left after the number.
        guard scanner.isAtEnd() else { throw scanner.fault }
        return value
    }

    @Test(arguments: [
        "0", "-0", "0.0", "-0.0", "7", "23.4", "-12.5", "8.3", "0.1", "1e0", "1E+2", "25e-1", "0e999999999999999999999",
        "123456789012345", "1234567890123456", "12345678901234567890", "99999999999999999999999999999",
        "0.00000000000000000000000000000001", "9007199254740993", "9007199254740993.5", "1e22", "1e23", "1e-22",
        "1e-23",
        "4.9e-324", "2e-324", "1.7976931348623157e308", "1.7976931348623159e308", "1e309", "-1e400", "1e-400",
        "1e99999999999999999999", "1e-99999999999999999999", "0.1e-99999999999999999999999999999999999999",
        "2.2250738585072011e-308", "1777636800.123456",
    ])
    func readsWhatTheCLibraryReads(_ text: String) throws {
        #expect(try Self.number(text).bitPattern == strtod(text, nil).bitPattern)
    }

    @Test func readsWhatTheCLibraryReadsInManyTexts() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<100_000 {
            let text = Self.numberText(&generator)
            #expect(try Self.number(text).bitPattern == strtod(text, nil).bitPattern, "\(text)")
        }
    }

    private static func numberText(_ generator: inout SeededGenerator) -> String {
        func digits(_ most: Int) -> String {
            String(
                (0..<Int.random(in: 1...most, using: &generator)).map { _ in
                    Character(Unicode.Scalar(UInt8(ascii: "0") + UInt8.random(in: 0...9, using: &generator)))
                })
        }
        var text = Bool.random(using: &generator) ? "-" : ""
        let whole = digits(20).drop { $0 == "0" }
        text += whole.isEmpty ? "0" : String(whole)
        if Bool.random(using: &generator) { text += "." + digits(22) }
        if Int.random(in: 0..<3, using: &generator) == 0 {
            text += ["e", "E"].randomElement(using: &generator)! + (["", "+", "-"].randomElement(using: &generator)!)
            text += digits(3)
        }
        return text
    }

    @Test(arguments: [
        "", "-", "01", "-01", "00", "+1", ".5", "1.", "-.5", "1.e3", "1e", "1e+", "1e-", "--1", "0x10", "1_0", "٣",
    ])
    func refusesWhatIsNoNumber(_ text: String) {
        #expect(throws: (any Error).self, "\(text)") { try Self.number(text) }
    }

    @Test func minusZeroKeepsItsSign() throws {
        #expect(try Self.number("-0").sign == .minus)
        #expect(try Self.number("-0.000").sign == .minus)
    }

    @Test(arguments: [
        (#""""#, ""), (#""pH""#, "pH"), (#""°C""#, "°C"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u00b0C""#, "°C"), (#""a\u00B0b""#, "a°b"), (#""\ud83d\udc1f""#, "🐟"), (#""水温""#, "水温"),
        (#""\u0000""#, "\0"),
    ])
    func readsStrings(_ text: String, _ meaning: String) throws {
        var scanner = JSONScanner(Array(text.utf8))
        let (string, isAtEnd) = (try scanner.string(), scanner.isAtEnd())
        #expect(string == meaning)
        #expect(isAtEnd)
    }

    @Test(arguments: [
        #"""#, #""open"#, #""\"#, #""\""#, #""\x""#, #""\u12""#, #""\u12g4""#, #""\ud83d""#, #""\ud83dx""#,
        #""\ud83d\u0041""#,
        #""\udc1f""#, #""\ud83d\"#, #""\ud83d\u"#, "\"line\nbreak\"", "\"tab\there\"", "\"nul\0\"",
    ])
    func refusesBrokenStrings(_ text: String) {
        #expect(throws: JSONScanner.Fault.self, "\(text)") {
            var scanner = JSONScanner(Array(text.utf8))
            _ = try scanner.string()
        }
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0x5C, 0x6E, 0xC0, 0x80, 0x22],
        ] as [[UInt8]])
    func refusesTextThatIsNotUTF8(_ bytes: [UInt8]) {
        #expect(throws: JSONScanner.Fault.self) {
            var scanner = JSONScanner(bytes)
            _ = try scanner.string()
        }
    }

    @Test func nestingHasABound() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array(
                (String(repeating: #"[{"a":"#, count: depth / 2) + "1" + String(repeating: "}]", count: depth / 2)).utf8
            )
        }
        var shallow = JSONScanner(nested(14))
        try shallow.skipValue()
        let isAtEnd = shallow.isAtEnd()
        #expect(isAtEnd)
        for depth in [16, 18, 100_000] {
            #expect(throws: JSONScanner.Fault.self) {
                var deep = JSONScanner(nested(depth))
                try deep.skipValue()
            }
        }
    }
}
