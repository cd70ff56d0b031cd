/// The requirements on a password, the only factor that people sign in with (NIST SP 800-63B-4, section 3.1.1.2): a
/// minimum length, no rule about mixing characters, and a refusal of what attackers guess first.
///
/// A password is taken as typed, code point by code point. The publication recommends Unicode's normal form NFKC, which
/// neither the standard library nor FoundationEssentials offers: an accented letter that two keyboards encode
/// differently makes two passwords.
package enum PasswordRule {
    /// The minimum in code points, like the maximum.
    package static let minimumLength = 15
    /// The maximum: scrypt takes any length, but a bound refuses a file that was given by mistake.
    package static let maximumLength = 256
    static let fewestDifferentCharacters = 5

    /// Checks a password.
    /// - Returns: What is wrong with it; nil if it may be used.
    package static func fault(in password: String, of email: EmailAddress) -> PasswordFault? {
        if password.isEmpty { return .empty }
        let length = password.unicodeScalars.count
        if length < minimumLength { return .tooShort }
        if length > maximumLength { return .tooLong }
        if password.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) { return .controlCharacter }
        let folded = password.lowercased()
        if isOf(email, folded) { return .emailAddress }
        if Set(folded).count < fewestDifferentCharacters || repeatsItself(Array(folded)) { return .repetition }
        if isRun(folded) || isGuessedFirst(folded) { return .guessedFirst }
        return nil
    }

    /// Whether the password is the address or its local part, perhaps with digits and marks around it.
    private static func isOf(_ email: EmailAddress, _ folded: String) -> Bool {
        let own = [email.text, String(email.localPart)]
        let core = letters(folded)
        return own.contains(folded) || !core.isEmpty && own.contains { letters($0) == core }
    }

    /// Whether a part of at most half the length, repeated, makes the whole: `tank1tank1tank1`.
    private static func repeatsItself(_ folded: [Character]) -> Bool {
        (1...max(1, folded.count / 2)).contains { period in
            folded.indices.dropFirst(period).allSatisfy { folded[$0] == folded[$0 - period] }
        }
    }

    /// Whether all characters are neighbours on the keyboard or in the alphabet, in either direction.
    private static func isRun(_ folded: String) -> Bool {
        runs.contains { $0.contains(folded) || String($0.reversed()).contains(folded) }
    }

    private static let runs = [
        String(repeating: "1234567890", count: 26), String(repeating: "abcdefghijklmnopqrstuvwxyz", count: 10),
        String(repeating: "qwertyuiopasdfghjklzxcvbnm", count: 10), "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/",
        "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "1a2b3c4d5e6f7g8h9i0j",
    ]

    /// Whether the letters alone make up words that lists of guesses begin with; digits that stand for letters are read
    /// as such, other characters are left out.
    private static func isGuessedFirst(_ folded: String) -> Bool {
        // Characters around the words do not disguise them.
        let inner = String(folded.drop { !$0.isLetter }.reversed().drop { !$0.isLetter }.reversed())
        return [letters(folded), letters(String(inner.map { disguises[$0] ?? $0 }))].contains(where: isMadeOfGuesses)
    }

    private static func isMadeOfGuesses(_ core: String) -> Bool {
        guard !core.isEmpty else { return false }
        // Marks the prefixes of the text that are made of such words.
        let characters = Array(core)
        var isReached = [true] + Array(repeating: false, count: characters.count)
        for start in characters.indices where isReached[start] {
            for word in guessedFirst where characters[start...].starts(with: word) {
                isReached[start + word.count] = true
            }
        }
        return isReached[characters.count]
    }

    private static func letters(_ text: String) -> String { text.filter(\.isLetter) }

    private static let disguises: [Character: Character] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s",
    ]

    private static let guessedFirst = [
        "password", "passwort", "contraseña", "contrasena", "qwertyuiop", "qwerty", "qwertz", "asdfghjkl", "asdf",
        "zxcvbnm",
        "iloveyou", "letmein", "welcome", "changeme", "administrator", "admin", "login", "secret", "master", "monkey",
        "dragon", "football", "baseball", "sunshine", "princess", "superman", "batman", "shadow", "trustno", "abc",
        "aquamonitor", "aquarium", "aqua", "monitor", "fishtank", "goldfish", "test", "demo", "default", "root", "user",
    ].map(Array.init)
}
