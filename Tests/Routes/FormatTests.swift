import Instants
import Testing

@testable import Routes

@Suite struct FormatTests {
    private enum Colour: String, CaseIterable, Sendable {
        case red, blue
    }

    private func code<Value>(_ format: Format<Value>, _ text: String) -> String? {
        do throws(Fault) {
            _ = try format.readText(text)
            return nil
        } catch {
            return error.code
        }
    }

    private func code<Value>(_ format: Format<Value>, _ json: JSON) -> String? {
        do throws(Fault) {
            _ = try format.readJSON(json)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: [
        ("5", nil), ("1", nil), ("10", nil), ("0", "too-small"), ("11", "too-large"), ("-5", "too-small"),
        ("+5", "not-integer"), ("5.0", "not-integer"), ("", "not-integer"), (" 5", "not-integer"),
        ("99999999999999999999", "not-integer"), ("٥", "not-integer"),
    ])
    func integers(_ text: String, _ expected: String?) {
        #expect(code(.integer(1...10), text) == expected)
    }

    @Test(arguments: [
        (JSON.integer(5), nil), (.number(5), nil), (.number(5.5), "not-integer"), (.number(1e300), "not-integer"),
        ("5", "not-integer"), (true, "not-integer"), (nil, "not-integer"), (.integer(.max), "too-large"),
    ])
    func integersInJSON(_ json: JSON, _ expected: String?) {
        #expect(code(.integer(1...10), json) == expected)
    }

    @Test(arguments: [
        ("1.5", nil), ("-90", nil), ("90.0", nil), ("1e1", nil), ("90.01", "too-large"), ("-91", "too-small"),
        ("nan", "not-number"), ("inf", "not-number"), ("0x10", "not-number"), ("", "not-number"),
        ("1e999", "not-number"), ("1,5", "not-number"),
    ])
    func decimals(_ text: String, _ expected: String?) {
        #expect(code(.decimal(-90...90), text) == expected)
    }

    private static let number = ObjectMember("number", Format<Int>.integer(1...10))
    private static let limit = ObjectMember("limit", Format<Int>.integer(1...10).nullable)
    private static let object = Format<[Int?]>.object(
        [number, limit], required: ["number"], example: ["number": 5], or: Fault("not-this")
    ) { members throws(Fault) in
        guard let number = try members[number] else { return nil }
        return [number] + (try members[limit].map { [$0] } ?? [])
    }

    @Test(
        arguments: [
            (["number": 5], [5]), (["number": 5, "limit": 7], [5, 7]), (["limit": .null, "number": 5], [5, nil]),
        ] as [(JSON, [Int?])])
    func objectsAreReadByTheirMembers(_ json: JSON, _ expected: [Int?]) throws {
        #expect(try Self.object.readJSON(json) == expected)
    }

    @Test(
        arguments: [
            ([:], "not-this", ""), ("5", "not-this", ""), (["limit": 5], "not-this", ""),
            (["number": 5, "other": 1], "not-this", "/other"), (["number": 11], "too-large", "/number"),
            (.object([.init("number", 5), .init("number", 5)]), "not-this", "/number"),
            (["number": 5, "limit": 0], "too-small", "/limit"), (["number": .null], "not-integer", "/number"),
        ] as [(JSON, String, String)])
    func objectsAreRefusedWithTheirPlace(_ json: JSON, _ code: String, _ path: String) {
        do throws(Fault) {
            _ = try Self.object.readJSON(json)
            Issue.record("taken")
        } catch {
            #expect(error.code == code && error.path == path)
        }
        #expect(self.code(Self.object, "text") == "not-this")
    }

    @Test func anObjectHasASchema() {
        #expect(
            Self.object.schema.json
                == [
                    "type": "object",
                    "properties": ["number": Self.number.schema.json, "limit": Self.limit.schema.json],
                    "required": ["number"], "additionalProperties": false,
                ])
    }

    @Test func booleans() {
        #expect(code(.boolean, "true") == nil)
        #expect(code(.boolean, "1") == "not-boolean")
        #expect(code(.boolean, JSON.bool(false)) == nil)
        #expect(code(.boolean, JSON.string("false")) == "not-boolean")
        #expect(code(.boolean, JSON.integer(0)) == "not-boolean")
    }

    @Test(arguments: [
        ("2026-05-01T12:00:00Z", nil), ("2026-05-01T14:00:00.25+02:00", nil), ("2026-05-01", "not-timestamp"),
        ("2026-05-01T12:00:00", "not-timestamp"), ("1777636800", "not-timestamp"), ("", "not-timestamp"),
        ("2026-05-01T12:00:00." + String(repeating: "1", count: 64) + "Z", "not-timestamp"),
    ])
    func timestamps(_ text: String, _ expected: String?) {
        #expect(code(.timestamp, text) == expected)
        #expect(code(.timestamp, JSON.string(text)) == expected)
    }

    @Test(arguments: [
        ("0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d8e", nil), ("0198F3A2-5C1E-7B90-8D7E-3F4A5B6C7D8E", nil),
        ("0198f3a25c1e7b908d7e3f4a5b6c7d8e", "not-uuid"), ("", "not-uuid"),
        ("0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d8g", "not-uuid"),
    ])
    func uuids(_ text: String, _ expected: String?) {
        #expect(code(.uuid, text) == expected)
    }

    @Test func choices() {
        #expect(code(.choice(Colour.self), "red") == nil)
        #expect(code(.choice(Colour.self), "Red") == "not-a-choice")
        #expect(code(.choice(Colour.self), JSON.null) == "not-text")
    }

    /// Length is counted in Unicode scalars, as the database does: a flag has two, however it is drawn.
    @Test func lengthCountsUnicodeScalars() {
        #expect(code(.text(2...2), "🇯🇵") == nil)
        #expect(code(.text(1...1), "🇯🇵") == "too-long")
        #expect(code(.text(1...1), "e\u{301}") == "too-long")
    }

    @Test func aValueOfOnesOwnType() {
        struct Even: Sendable {}
        let even = Format<Even>.reading("even", example: "42") { text throws(Fault) in
            guard let number = Int(text), number % 2 == 0 else { throw .pattern }
            return Even()
        }
        #expect(code(even, "42") == nil)
        #expect(code(even, "43") == "pattern")
        #expect(code(even, "4\0") == "nul-character")
        #expect(code(even, String(repeating: "2", count: 129)) == "too-long")
        #expect(code(even, JSON.integer(42)) == "not-text")
    }

    @Test(arguments: [
        ("^[a-z]+$", "abc", true), ("^[a-z]+$", "", false), ("^[a-z]+$", "abC", false), ("^[a-z]+$", "abc\n", false),
        ("^[a-z]*z$", "zz", true), ("^[a-z]*z$", "zy", false), ("^a?b{2}c{1,3}$", "bbccc", true),
        ("^a?b{2}c{1,3}$", "abbcccc", false), ("^[^/]+$", "é\u{301}", true), ("^[^/]+$", "a/b", false),
        ("^[A-Z0-9_-]{4}$", "A_-9", true), ("^\\.[\\u0000-\\u001F\\]]$", ".\u{7}", true),
        ("^\\.[\\u0000-\\u001F\\]]$", ".]", true), ("^$", "", true), ("^$", "a", false),
        ("^a*a*a*a*a*a*a*a*a*b$", String(repeating: "a", count: 200), false),
    ])
    func patterns(_ pattern: String, _ text: String, _ matches: Bool) {
        #expect(TextPattern(stringLiteral: pattern).matches(text) == matches)
        #expect(
            code(.text(0...1000, pattern: TextPattern(stringLiteral: pattern)), text) == (matches ? nil : "pattern"))
    }
}
