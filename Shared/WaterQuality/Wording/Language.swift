/// A language of messages. The raw values are stored: ISO 639-1.
package enum Language: String, CaseIterable, Sendable {
    case en, ja, es

    /// The language of a locale such as `ja`, `es-MX` or `es_MX.UTF-8`; English for any other.
    package init(locale: String) {
        let code = locale.prefix { $0.isLetter }.lowercased()
        self = Language(rawValue: code) ?? .en
    }

    /// The decimal mark.
    var decimalMark: Character { self == .es ? "," : "." }

    var phrasebook: any Phrasebook {
        switch self {
        case .en: English()
        case .ja: Japanese()
        case .es: Spanish()
        }
    }
}
