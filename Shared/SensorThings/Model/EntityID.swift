/// An id as it stands in an address: `Things(7)`, `Datastreams('tank-1:ph')`, `Observations('449-1790000000000000')`.
package enum EntityID: Hashable, Sendable, CustomStringConvertible {
    case number(Int64)
    case text(String)

    package var description: String {
        switch self {
        case .number(let number): String(number)
        case .text(let text): quoted(text)
        }
    }
}

/// A text between quotation marks, those inside doubled.
func quoted(_ text: String) -> String {
    var result = "'"
    for character in text.unicodeScalars {
        result.unicodeScalars.append(character)
        if character == "'" { result.unicodeScalars.append(character) }
    }
    return result + "'"
}
