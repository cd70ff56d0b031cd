/// A language of texts for people. The raw values are stored and sent: ISO 639-1.
///
/// A language is one file of `Languages`, which the services and the web app read alike, and its lines in `CLanguages`.
package struct Language: RawRepresentable, Hashable, Sendable, CaseIterable {
    /// The place in `allCases`.
    let index: UInt8

    package static let en = Language(index: 0)
    package static let allCases = Catalogue.all.indices.map { Language(index: UInt8($0)) }

    /// - Returns: `nil` for a language without a file.
    package init?(rawValue: String) {
        guard let index = Catalogue.all.firstIndex(where: { $0.code == rawValue }) else { return nil }
        self.init(index: UInt8(index))
    }

    init(index: UInt8) { self.index = index }

    /// The language of a locale such as `ja`, `es-MX` or `es_MX.UTF-8`; English for any other.
    package init(locale: String) {
        self = Language(rawValue: locale.prefix { $0.isLetter }.lowercased()) ?? .en
    }

    package var rawValue: String { catalogue.code }

    /// The language's own name: 日本語.
    package var name: String { text("language.name") }

    /// The decimal mark.
    package var decimalMark: Character { text("language.decimalMark").first ?? "." }

    var catalogue: Catalogue { Catalogue.all[Int(index)] }
}
