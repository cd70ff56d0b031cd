/// A stored word, of which a newer version may have written one that this version does not know.
///
/// Lists, live updates and channels read words in this form, so that one row of a newer version fails nothing. What decides takes
/// the closed enumeration.
package enum Word<Known: RawRepresentable<String> & CaseIterable & Hashable & Sendable>: RawRepresentable, Hashable,
    Sendable
{
    case known(Known)
    case other(String)

    package init(rawValue: String) {
        self = Known(rawValue: rawValue).map(Word.known) ?? .other(rawValue)
    }

    package var rawValue: String {
        switch self {
        case .known(let known): known.rawValue
        case .other(let word): word
        }
    }

    /// The word; `nil` for one that only a newer version knows.
    package var known: Known? {
        if case .known(let known) = self { known } else { nil }
    }
}

extension Word: CaseIterable {
    /// The words that this version knows.
    package static var allCases: [Word] { Known.allCases.map(Word.known) }
}

extension Word: Encodable {}
