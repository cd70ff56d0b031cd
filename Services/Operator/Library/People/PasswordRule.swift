/// The requirements on a password. Length counts more than a mixture of characters, and common passwords are refused.
enum PasswordRule {
    static let minimumLength = 10
    /// scrypt takes any length; a bound keeps a mistaken file from being taken for a password.
    static let maximumLength = 256
    private static let fewestDifferentCharacters = 5

    /// - Throws: `invalidInput` with what to do; never with the password.
    static func check(_ password: String, of email: EmailAddress) throws(OperatorError) {
        if let fault = fault(in: password, of: email) { throw OperatorError(.invalidInput, fault) }
    }

    private static func fault(in password: String, of email: EmailAddress) -> String? {
        let folded = password.lowercased()
        if password.isEmpty {
            return "There is no password on standard input. Send one: aqua account add \(email) < file"
        }
        if password.count < minimumLength {
            return "The password is too short. Choose one of at least \(minimumLength) characters."
        }
        if password.count > maximumLength {
            return "The password has more than \(maximumLength) characters. Choose a shorter one."
        }
        if password.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            return "The password holds a control character, which no form lets a person type. Choose another."
        }
        if folded == email.text || folded == email.localPart {
            return "The password is the e-mail address. Choose one that cannot be guessed from it."
        }
        if Set(folded).count < fewestDifferentCharacters {
            return
                "The password repeats a few characters. Choose one with at least \(fewestDifferentCharacters) different ones."
        }
        if isRun(folded) || guessedFirst.contains(folded) {
            return "The password is one of the first that are guessed. Choose another, such as four random words."
        }
        return nil
    }

    /// Whether all characters are neighbours on the keyboard or in the alphabet, in either direction.
    private static func isRun(_ folded: String) -> Bool {
        ["12345678901234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm"].contains {
            $0.contains(folded) || String($0.reversed()).contains(folded)
        }
    }

    private static let guessedFirst: Set<String> = [
        "password12", "password123", "password1234", "password12345", "1234567890a", "q1w2e3r4t5", "1q2w3e4r5t",
        "1q2w3e4r5t6y",
        "qwerty1234", "qwerty12345", "qwerty123456", "iloveyou12", "iloveyou123", "letmein1234", "welcome123",
        "welcome1234",
        "changeme12", "changeme123", "admin12345", "administrator", "aquamonitor", "aquarium123", "football123",
        "sunshine123",
    ]
}
