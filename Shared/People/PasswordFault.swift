package import Words

/// Why a password is refused. The raw values are codes that programs may rely on.
package enum PasswordFault: String, CaseIterable, Sendable {
    case empty = "password-empty"
    case tooShort = "password-too-short"
    case tooLong = "password-too-long"
    case controlCharacter = "password-control-character"
    case emailAddress = "password-email-address"
    case repetition = "password-repetition"
    case guessedFirst = "password-guessed-first"

    /// The bounds of the rule that the fault's text names.
    package var bounds: [(name: String, value: Int)] {
        switch self {
        case .empty, .tooShort: [("minimum", PasswordRule.minimumLength)]
        case .tooLong: [("maximum", PasswordRule.maximumLength)]
        case .repetition: [("different", PasswordRule.fewestDifferentCharacters)]
        case .controlCharacter, .emailAddress, .guessedFirst: []
        }
    }

    /// The fault and its remedy, for the person; never contains the password.
    package func text(in language: Language) -> String {
        language.text("fault.\(rawValue)") { place in bounds.first { $0.name == place }.map { "\($0.value)" } }
    }
}
