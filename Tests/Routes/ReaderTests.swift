import TestSupport
import Testing
import Words

@testable import Routes

@Suite struct ReaderTests {
    @Test(arguments: [
        ("ja", "ja"), ("es-MX", "es"), ("EN-gb", "en"), ("fr, es;q=0.5, ja;q=0.7", "ja"), ("fr;q=1, *;q=0.1", "en"),
        ("ja;q=0, es", "es"), ("ja;q=0", nil), ("*;q=0", nil), ("en;q=0, *", "ja"), ("*, en;q=0", "ja"),
        ("*;q=0.5, ja", "ja"), ("de-AT", "de"),
        ("en;q=0, ja;q=0, es;q=0, de;q=0, *", nil), ("ja;q=0.5, es;q=0.5", "ja"), ("ja ; q=0.3 ,\tes;q=0.31", "es"),
        ("fr", nil), ("", nil),
        ("ja;q=2", nil), ("ja;q=0.1234", nil), ("ja;q=x", nil), ("ja;q=", nil), ("jam", nil), (",,;,", nil),
        (String(repeating: "fr,", count: 32) + "ja", nil),
    ])
    func languages(_ header: String, _ expected: String?) {
        #expect(Language(acceptLanguage: header)?.rawValue == expected)
    }

    @Test(
        arguments: [
            ("a=1&b=two+words", [("a", "1"), ("b", "two words")]), ("a", [("a", "")]), ("a=", [("a", "")]),
            ("a=1=2", [("a", "1=2")]), ("&&a=1&", [("a", "1")]), ("%61=%C3%A9%2B+", [("a", "é+ ")]),
            ("a=%", [("a", nil)]), ("a=%4", [("a", nil)]), ("a=%+4", [("a", nil)]), ("a=%C3", [("a", nil)]),
            ("=x", [("", "x")]),
            ("", []),
        ] as [(String, [(String, String?)])])
    func queries(_ text: String, _ expected: [(String, String?)]) {
        #expect(Query(text).parameters == expected.map { Query.Parameter(name: $0.0, value: $0.1) })
    }

    @Test(arguments: [
        ("*", EntityTagCondition.any), ("\"a\"", .tags([EntityTag("a")])),
        ("\"a\" , W/\"b\"", .tags([EntityTag("a"), EntityTag("b", isWeak: true)])),
        (", \"a\",,", .tags([EntityTag("a")])),
        ("\"\"", .tags([EntityTag("")])), ("", nil), ("a", nil), ("\"a", nil), ("\"a\"b", nil), ("\"a\" \"b\"", nil),
        ("w/\"a\"", nil), ("\"a b\"", nil), ("*, \"a\"", nil), ("\"\(String(repeating: "a", count: 257))\"", nil),
        (Array(repeating: "\"a\"", count: 33).joined(separator: ","), nil),
    ])
    func entityTags(_ header: String, _ expected: EntityTagCondition?) {
        #expect(EntityTagCondition(header) == expected)
    }

    @Test func matchingIsStrong() {
        let strong = EntityTag("a")
        let weak = EntityTag("a", isWeak: true)
        #expect(EntityTagCondition.tags([strong]).matches(strong))
        #expect(!EntityTagCondition.tags([weak]).matches(strong))
        #expect(!EntityTagCondition.tags([strong]).matches(weak))
        #expect(!EntityTagCondition.tags([strong]).matches(nil))
        #expect(EntityTagCondition.any.matches(strong))
        #expect(!EntityTagCondition.any.matches(nil))
    }

    @Test func aCursorFitsOnlyItsList() throws {
        let key = "tank-1"
        let text = Cursor.text(key, of: "listAlerts")
        let read: String = try Cursor.read(text, of: "listAlerts")
        #expect(read == key)
        #expect(throws: Fault.cursor) { let _: String = try Cursor.read(text, of: "listDevices") }
        #expect(throws: Fault.cursor) { let _: Int64 = try Cursor.read(text, of: "listAlerts") }
        #expect(throws: Fault.cursor) { let _: String = try Cursor.read(text + "A", of: "listAlerts") }
        #expect(throws: Fault.cursor) { let _: String = try Cursor.read("", of: "listAlerts") }
        #expect(throws: Fault.cursor) {
            let long = Cursor.text(String(repeating: "a", count: 400), of: "listAlerts")
            let _: String = try Cursor.read(long, of: "listAlerts")
        }
    }

    @Test func aPageEndsWhereTheListEnds() {
        #expect(Page([1, 2], limit: 2, of: "list") { Int64($0) }.next == nil)
        let page = Page([1, 2, 3], limit: 2, of: "list") { Int64($0) }
        #expect(page.items == [1, 2])
        #expect(page.next == Cursor.text(Int64(2), of: "list"))
    }

    @Test(arguments: 0..<4) func base64URLReadsBackAndIsUnique(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for length in 0..<64 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = Base64URL.text(bytes)
            #expect(Base64URL.bytes(text) == bytes)
            #expect(percentDecoded(text[...]) == text, "fit for a URL as it is")
        }
        for text in ["A", "AB", "AAB", "AA=", "A+AA", "A/AA", "é"] { #expect(Base64URL.bytes(text) == nil) }
    }
}
