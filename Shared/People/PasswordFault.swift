package import WaterQuality

/// Why a password is refused. The raw values are codes that programs may rely on.
package enum PasswordFault: String, CaseIterable, Sendable {
    case empty = "password-empty"
    case tooShort = "password-too-short"
    case tooLong = "password-too-long"
    case controlCharacter = "password-control-character"
    case emailAddress = "password-email-address"
    case repetition = "password-repetition"
    case guessedFirst = "password-guessed-first"

    /// The fault and its remedy, for the person; never contains the password.
    package func text(in language: Language) -> String {
        switch language {
        case .en: english
        case .ja: japanese
        case .es: spanish
        }
    }

    private var english: String {
        switch self {
        case .empty: "There is no password. Choose one of at least \(PasswordRule.minimumLength) characters."
        case .tooShort:
            "The password is too short. Choose one of at least \(PasswordRule.minimumLength) characters, such as four random words."
        case .tooLong: "The password has more than \(PasswordRule.maximumLength) characters. Choose a shorter one."
        case .controlCharacter:
            "The password holds a control character, which no form lets a person type. Choose another."
        case .emailAddress: "The password is the e-mail address. Choose one that cannot be guessed from it."
        case .repetition:
            "The password repeats a few characters. Choose one with at least \(PasswordRule.fewestDifferentCharacters) different ones that does not repeat itself."
        case .guessedFirst:
            "The password is one of the first that are guessed. Choose another, such as four random words."
        }
    }

    private var japanese: String {
        switch self {
        case .empty: "パスワードがありません。\(PasswordRule.minimumLength)文字以上のパスワードを入力してください。"
        case .tooShort: "パスワードが短すぎます。無関係な単語を4つ並べるなどして、\(PasswordRule.minimumLength)文字以上にしてください。"
        case .tooLong: "パスワードが\(PasswordRule.maximumLength)文字を超えています。短くしてください。"
        case .controlCharacter: "パスワードに、フォームでは入力できない制御文字が含まれています。別のパスワードにしてください。"
        case .emailAddress: "パスワードがメールアドレスと同じです。推測されないパスワードにしてください。"
        case .repetition:
            "パスワードが少ない文字の繰り返しです。\(PasswordRule.fewestDifferentCharacters)種類以上の文字を使い、繰り返しを避けてください。"
        case .guessedFirst: "このパスワードは真っ先に推測されます。無関係な単語を4つ並べるなど、別のパスワードにしてください。"
        }
    }

    private var spanish: String {
        switch self {
        case .empty: "Falta la contraseña. Elija una de al menos \(PasswordRule.minimumLength) caracteres."
        case .tooShort:
            "La contraseña es demasiado corta. Elija una de al menos \(PasswordRule.minimumLength) caracteres, por ejemplo cuatro palabras al azar."
        case .tooLong:
            "La contraseña tiene más de \(PasswordRule.maximumLength) caracteres. Elija una más corta."
        case .controlCharacter:
            "La contraseña contiene un carácter de control, que ningún formulario permite escribir. Elija otra."
        case .emailAddress:
            "La contraseña es la dirección de correo. Elija una que no se pueda adivinar a partir de ella."
        case .repetition:
            "La contraseña repite unos pocos caracteres. Elija una con al menos \(PasswordRule.fewestDifferentCharacters) distintos que no se repita."
        case .guessedFirst:
            "La contraseña es de las primeras que se prueban. Elija otra, por ejemplo cuatro palabras al azar."
        }
    }
}
