/// The parameters of a query string.
package struct Query: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        package let name: String
        /// The decoded value; `nil` if its escapes are malformed or do not make UTF-8.
        package let value: String?
    }

    /// The parameters in their order, repeated ones included.
    package let parameters: [Parameter]

    /// Reads `a=1&b=two+words` in the form encoding: percent escapes, and a plus sign for a space. Empty parts between
    /// ampersands are skipped. A name that cannot be decoded stays as it is, and is then reported as unknown.
    package init(_ text: String) {
        parameters = text.split(separator: "&").map { part in
            let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = percentDecoded(pieces[0], plusIsSpace: true) ?? String(pieces[0])
            return Parameter(name: name, value: pieces.count == 2 ? percentDecoded(pieces[1], plusIsSpace: true) : "")
        }
    }
}

/// Decodes percent escapes; `nil` if an escape is malformed or the bytes are not UTF-8.
package func percentDecoded(_ text: Substring, plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "%"):
            guard let high = rest.popFirst().flatMap(hexadecimalDigit),
                let low = rest.popFirst().flatMap(hexadecimalDigit)
            else { return nil }
            bytes.append(high << 4 | low)
        case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
        default: bytes.append(byte)
        }
    }
    return String(validating: bytes, as: UTF8.self)
}
