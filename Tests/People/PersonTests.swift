import People
import Testing
import WaterQuality

@Suite struct PersonTests {
    @Test(arguments: [
        "", "ada", "@example.org", "ada@", "a@b@c", "ada lovelace@example.org", "ada@example.org\n", "ada\u{9B}@b",
        "ada\u{200B}@example.org", "ada\u{202E}@example.org", "ada\u{0}@example.org",
        String(repeating: "a", count: 243) + "@example.org",
    ])
    func addressesThatAreNone(_ text: String) {
        #expect(EmailAddress(text) == nil)
    }

    @Test func anAddressIsKeptInLowerCase() throws {
        let address = try #require(EmailAddress("Ada@Example.ORG"))
        #expect(address.text == "ada@example.org")
        #expect(address.localPart == "ada")
        #expect(EmailAddress(String(repeating: "a", count: 242) + "@example.org") != nil)
    }

    @Test func aNameHasNoWhiteSpaceAtItsEnds() throws {
        #expect(DeviceName("  Koi pond\t")?.text == "Koi pond")
        #expect(DeviceName(String(repeating: "水", count: 64)) != nil)
        for text in ["", "   ", "a\nb", "a\u{0}b", String(repeating: "水", count: 65)] {
            #expect(DeviceName(text) == nil)
        }
    }

    @Test(arguments: [
        "\u{202E}dnop", "pond\u{200B}", "\u{2066}a\u{2069}", "\u{FEFF}pond", "po\u{AD}nd", "\u{200D}", "pond\u{200D}",
        "a\u{200D}b", "\u{3164}", "\u{2800}", "\u{E0041}", "a\u{2028}b", "\u{1B}[2J", "\u{9B}2J", "\u{FE0F}",
        "水\u{200D}\u{200D}水", "pond\u{FE0F}", "水\u{FE00}\u{FE01}",
    ])
    func aNameShowsWhatItIs(_ text: String) {
        #expect(DeviceName(text) == nil)
        #expect(!VisibleText.isVisible(text))
        let shown = VisibleText.spelledOut(text) { "<\(String($0.value, radix: 16))>" }
        #expect(shown.contains("<") || text.hasSuffix("\u{200D}"))
    }

    @Test(arguments: [
        "Koi pond", "池の水温", "Estanque señorial", "👨\u{200D}👩\u{200D}👧", "❤\u{FE0F}", "1\u{FE0F}\u{20E3}",
        "می\u{200C}خواهم",
        "क्\u{200D}ष", "🏳\u{FE0F}\u{200D}🌈", "e\u{301}",
    ])
    func namesOfAllScriptsAndEmojiAreVisible(_ text: String) {
        #expect(DeviceName(text)?.text == text)
        #expect(VisibleText.spelledOut(text) { _ in "?" } == text)
    }
}
