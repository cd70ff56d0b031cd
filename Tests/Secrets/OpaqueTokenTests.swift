import Crypto
import Secrets
import Testing

@Suite struct OpaqueTokenTests {
    @Test func `a token reads as it is written`() throws {
        for _ in 0..<200 {
            let token = PersonalToken.generate()
            #expect(token.text.wholeMatch(of: /aqp_[0-9A-Za-z]{49}/) != nil)
            #expect(try #require(PersonalToken(token.text)) == token)
            #expect(token.hash.count == 32)
            #expect(token.text.hasSuffix(token.lastFour))
        }
        #expect(Set((0..<1000).map { _ in RefreshToken.generate() }).count == 1000)
    }

    @Test func `every changed character is noticed without a look-up`() throws {
        let token = RefreshToken.generate()
        let bytes = Array(token.text.utf8)
        for index in bytes.indices {
            for byte in Array("0aZ_".utf8) where byte != bytes[index] {
                var changed = bytes
                changed[index] = byte
                #expect(RefreshToken(String(decoding: changed, as: UTF8.self)) == nil)
            }
        }
        #expect(RefreshToken(token.text + "0") == nil)
        #expect(RefreshToken(String(token.text.dropLast())) == nil)
        #expect(RefreshToken("") == nil)
        #expect(RefreshToken(String(repeating: "é", count: 53)) == nil)
    }

    @Test func `no kind passes for another`() {
        let texts = [
            RefreshToken.generate().text, PersonalToken.generate().text, SignUpInvitation.generate().text,
            WatchInvitation.generate().text,
        ]
        for text in texts {
            let kinds = [
                RefreshToken(text) != nil, PersonalToken(text) != nil, SignUpInvitation(text) != nil,
                WatchInvitation(text) != nil,
            ]
            #expect(kinds.count(where: \.self) == 1)
        }
        // The checksum covers the prefix.
        #expect(PersonalToken("aqp_" + RefreshToken.generate().text.dropFirst(4)) == nil)
    }

    /// The checksum comes from Python: zlib.crc32(b"aqp_" + b"0" * 43), then base62 with 0-9, A-Z, a-z.
    @Test func `the checksum is zlib's CRC-32`() {
        let body = "aqp_" + String(repeating: "0", count: 43)
        #expect(PersonalToken(body + "1C3dGn") != nil)
    }

    @Test func `the hash is SHA-256 of the text`() {
        let token = PersonalToken.generate()
        #expect(token.hash == Array(SHA256.hash(data: Array(token.text.utf8))))
    }

    @Test func `no dump shows a token`() {
        let token = RefreshToken.generate()
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", "\(String(reflecting: token))", dumped] { #expect(!text.contains(token.text)) }
    }

    @Test func `only a token itself opens its successor`() throws {
        let (parent, successor) = (RefreshToken.generate(), RefreshToken.generate())
        let sealed = try parent.seal(successor)
        #expect(try parent.openSuccessor(sealed) == successor)
        #expect(throws: SealedSecret.CannotOpen.self) { try RefreshToken.generate().openSuccessor(sealed) }
        #expect(throws: SealedSecret.CannotOpen.self) { try parent.openSuccessor([]) }
        var changed = sealed
        changed[20] ^= 1
        #expect(throws: SealedSecret.CannotOpen.self) { try parent.openSuccessor(changed) }
    }
}
