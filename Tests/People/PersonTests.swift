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
}
