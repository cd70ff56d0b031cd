import TestSupport
import Testing

@testable import Routes

@Suite struct JSONTests {
    private func read(_ text: String) -> Result<JSON, JSONFault> {
        Result { () throws(JSONFault) in try JSON(reading: Array(text.utf8)) }
    }

    @Test(
        arguments: [
            ("null", JSON.null), (" true ", true), ("false", false), ("0", 0), ("-0", 0), ("-12", -12),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.5", 1.5), ("1e2", .number(100)),
            ("-1.5E+2", -150.0), ("1e-400", .number(0)),
            (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{c}\n\r\tz"), (#""\u00e9\ud83d\udc1f""#, "é🐟"), (#""é🐟""#, "é🐟"),
            (#""\u0000""#, "\0"),
            ("[]", []), ("[1,[2]]", [1, [2]]), ("{}", [:]), (#"{"b":1,"a":{"c":[]}}"#, ["b": 1, "a": ["c": []]]),
            ("\t\r\n [ 1 , 2 ] ", [1, 2]),
        ] as [(String, JSON)])
    func reads(_ text: String, _ expected: JSON) throws {
        #expect(try read(text).get() == expected)
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "+1", "01", "1.", ".5", "1e", "- 1", "0x1", "NaN", "Infinity", "1 2", "'a'",
        "\"a", "\"\n\"", "\"\\x\"", "\"\\u12\"", "\"\\u123g\"", "[1,]", "[,1]", "[1 2]", "[1", "]", "{1:2}", "{\"a\"}",
        "{\"a\":}", "{\"a\":1,}", "{\"a\":1 \"b\":2}", "{\"a\":1", "\u{FEFF}1", "1//", "{a:1}",
    ])
    func refusesWhatIsNoJSON(_ text: String) {
        #expect(read(text) == .failure(.syntax))
    }

    @Test func refusesForAReason() throws {
        #expect(read("1e999") == .failure(.number))
        #expect(read("-1e999") == .failure(.number))
        #expect(read(#"{"a":1,"a":1}"#) == .failure(.duplicate))
        #expect(read(#"{"a":1,"\u0061":1}"#) == .failure(.duplicate))
        #expect(read(#""\ud83d""#) == .failure(.encoding))
        #expect(read(#""\udc1f""#) == .failure(.encoding))
        #expect(read(#""\ud83dA""#) == .failure(.encoding))
        #expect(throws: JSONFault.encoding) { try JSON(reading: [0x22, 0xFF, 0x22]) }
        #expect(throws: JSONFault.encoding) { try JSON(reading: [0x22, 0xED, 0xA0, 0x80, 0x22]) }
    }

    @Test func readsAsDeepAsItSaysAndNoDeeper() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try read(nested(JSON.greatestDepth)).get() }
        #expect(read(nested(JSON.greatestDepth + 1)) == .failure(.depth))
        #expect(read(String(repeating: "{\"a\":", count: 100_000)) == .failure(.depth))
    }

    @Test func writesMembersInOrderAndControlsEscaped() {
        let json: JSON = ["b": 1, "a": ["x\u{1}\"\\\né", .number(7.5), .number(.nan), nil, true]]
        #expect(json.text == #"{"b":1,"a":["x\u0001\"\\\né",7.5,null,null,true]}"#)
    }

    @Test(arguments: 0..<16) func whatIsWrittenReadsBackTheSame(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let json = random(depth: 0, &generator)
            #expect(try JSON(reading: json.bytes) == json)
            #expect(try JSON(reading: Array(json.indented().utf8)) == json)
        }
    }

    /// Numbers are as short as Swift's shortest text, and equal to it except for exponents.
    @Test(arguments: 0..<16) func numbersAreShortestDecimals(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func check(_ value: Double) throws {
            let text = JSON.number(value).text
            #expect(Double(text) == value)
            if value.magnitude >= 0.000_1, value.magnitude < 1e11 { #expect(text == value.description) }
        }
        for value in [
            0, -0.0, 0.000_1, -0.000_1, 74, 23.4, 0.1 + 0.2, 99_999_999_999.999_9, 1e15, 1e16, .leastNonzeroMagnitude,
        ] {
            try check(value)
        }
        for _ in 0..<1_000 {
            try check(Double(Int64.random(in: -1_000_000_000...1_000_000_000, using: &generator)) / 10_000)
            let any = Double(bitPattern: generator.next())
            if any.isFinite { try check(any) }
        }
    }

    private func random(depth: Int, _ generator: inout SeededGenerator) -> JSON {
        func text(_ generator: inout SeededGenerator) -> String {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                let bound: UInt32 = Bool.random(using: &generator) ? 0x7F : 0x10_FFFF
                scalars.append(Unicode.Scalar(UInt32.random(in: 0...bound, using: &generator)) ?? "\u{FFFD}")
            }
            return String(scalars)
        }
        switch Int.random(in: 0..<(depth < 5 ? 7 : 5), using: &generator) {
        case 0: return nil
        case 1: return .bool(.random(using: &generator))
        case 2: return .integer(Int64(bitPattern: generator.next()) >> Int64.random(in: 0...63, using: &generator))
        case 3:
            let value = Double(bitPattern: generator.next())
            // A whole number is written like an integer.
            return value.isFinite ? .number(value) : 0
        case 4: return .string(text(&generator))
        case 5:
            return .array(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in random(depth: depth + 1, &generator) })
        default:
            // Canonically equivalent names count as one.
            var names: Set<String> = []
            return .object(
                (0..<Int.random(in: 0...4, using: &generator)).compactMap { _ in
                    let name = text(&generator)
                    let value = random(depth: depth + 1, &generator)
                    return names.insert(name).inserted ? JSON.Member(name, value) : nil
                })
        }
    }
}
