/// A stored word, of which a newer version may have written one that this version does not know.
///
/// Lists, live updates and channels read words in this form, so that one row of a newer version fails nothing. What decides takes
/// the closed enumeration.
package enum Word<Known: RawRepresentable & CaseIterable & Hashable & Sendable>: RawRepresentable, Hashable, Sendable
where Known.RawValue: Hashable & Sendable {
    case known(Known)
    case other(Known.RawValue)

    package init(rawValue: Known.RawValue) {
        self = Known(rawValue: rawValue).map(Word.known) ?? .other(rawValue)
    }

    package var rawValue: Known.RawValue {
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

extension Word: Encodable where Known.RawValue == String {}

extension Word<Parameter> {
    /// The parameter's name; the stored number of one that only a newer version can name, which is the name of no other.
    package var name: String {
        switch self {
        case .known(let parameter): parameter.name
        case .other(let number): "\(number)"
        }
    }
}
