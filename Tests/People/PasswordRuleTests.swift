import People
import Testing
import WaterQuality
import Words

@Suite struct PasswordRuleTests {
    private func fault(_ password: String, of email: String = "ada@example.org") throws -> PasswordFault? {
        PasswordRule.fault(in: password, of: try #require(EmailAddress(email)))
    }

    @Test(arguments: [
        ("", PasswordFault.empty), ("fourteen chars", .tooShort), ("qwertyuiop", .tooShort),
        ("水槽の温度は二十四度です", .tooShort), (String(repeating: "long enough ", count: 30), .tooLong),
        ("with a\ttabulator", .controlCharacter), ("ada@EXAMPLE.org", .emailAddress),
        ("ada@example.org2026!", .emailAddress), ("aaaaaaaaaaaaaaaa", .repetition), ("abababababababab", .repetition),
        ("tank1tank1tank1", .repetition), ("passwordpassword", .repetition), ("123456789012345", .guessedFirst),
        ("543210987654321", .guessedFirst), ("qwertyuiopasdfgh", .guessedFirst), ("1q2w3e4r5t6y7u8", .guessedFirst),
        ("Password1234567!", .guessedFirst), ("p4ssw0rd1234567", .guessedFirst), ("P4$$w0rd-P@ssword!", .guessedFirst),
        ("aquamonitor-2026-admin", .guessedFirst), ("iloveyouiloveyou1", .guessedFirst),
    ])
    func weakPasswordsAreRefused(_ password: String, _ expected: PasswordFault) throws {
        #expect(try fault(password) == expected)
    }

    @Test(arguments: [
        "four random words here", "kx9!tu2#Qw7-mZ0", "水槽の温度は摂氏二十四度ですよね", "my password is a long story",
        "314159265358979",
        "ada lovelace feeds the koi",
    ])
    func goodPasswordsAreTaken(_ password: String) throws {
        #expect(try fault(password) == nil)
    }

    @Test func lengthCountsCodePoints() throws {
        // One visible character, eleven code points.
        let family = "👩🏽‍❤️‍💋‍👩🏻 x"
        #expect(family.count == 3)
        #expect(try fault(family) == .tooShort)
        #expect(try fault(String(repeating: "e\u{301}", count: 7)) == .tooShort)
        // 85 times three code points, plus one.
        let most = (0..<85).map { "\(Character(Unicode.Scalar(0x4E00 + $0)!))水é" }.joined() + "x"
        #expect(try fault(most) == nil)
        #expect(try fault(most + "x") == .tooLong)
    }

    @Test(arguments: PasswordFault.allCases)
    func everyFaultIsSaidInEveryLanguage(_ fault: PasswordFault) {
        let texts = Language.allCases.map(fault.text)
        #expect(Set(texts).count == Language.allCases.count)
        #expect(texts.allSatisfy { !$0.isEmpty })
    }

    /// The check sees every password that anybody sends, so it must be quick for the worst of them.
    @Test func theLongestPasswordOfGuessedWordsIsDecided() throws {
        let words = Array(repeating: "aquamonitor", count: 23).joined() + "qqq"
        #expect(words.count == 256)
        #expect(try fault(words) == nil)
    }
}
