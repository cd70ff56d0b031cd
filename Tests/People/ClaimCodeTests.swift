import People
import Secrets
import Testing

@Suite struct ClaimCodeTests {
    @Test func aCodeReadsAsItIsWritten() throws {
        for _ in 0..<200 {
            let code = ClaimCode.generate()
            #expect(
                "\(code)".wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}/) != nil)
            #expect(ClaimCode("\(code)") == code)
            #expect(ClaimCode("\(code)".lowercased().replacing("-", with: " ")) == code)
        }
    }

    @Test func lettersThatLookLikeDigitsStandForThem() throws {
        #expect(ClaimCode("iLoO-0000-0000") == ClaimCode("110000000000"))
    }

    @Test(arguments: ["", "7KQ2-M8XD-0R4", "7KQ2-M8XD-0R4TT", "7KQ2-M8XD-0R4U", "7KQ2_M8XD_0R4T", "水水水水水水水水水水水水"])
    func textsThatAreNoCode(_ text: String) {
        #expect(ClaimCode(text) == nil)
    }

    @Test func aHashIsFoundUnderEachKey() throws {
        let keys = try #require(SecretKeys([String(repeating: "10", count: 32), String(repeating: "0f", count: 32)]))
        let old = try #require(SecretKey(String(repeating: "0f", count: 32)))
        let code = ClaimCode.generate()
        #expect(code.hashes(under: keys).contains(code.hash(under: old)))
        #expect(code.hash(under: old) != ClaimCode.generate().hash(under: old))
    }

    @Test func codesDiffer() {
        #expect(Set((0..<1000).map { _ in ClaimCode.generate() }).count == 1000)
    }
}
