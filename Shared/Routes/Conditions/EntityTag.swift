/// The version of a resource (RFC 9110, section 8.8.3).
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The text between the quotes.
    package let value: String
    package let isWeak: Bool

    /// - Parameter value: A text of ours, so a wrong character in it is a programmer's error.
    package init(_ value: String, isWeak: Bool = false) {
        precondition(value.utf8.allSatisfy(isTagCharacter), "An entity tag has no quotes, spaces or controls.")
        self.value = value
        self.isWeak = isWeak
    }

    /// The version of a row.
    package init(version: Int64) {
        self.init("v\(version)")
    }

    fileprivate init(checked value: String, isWeak: Bool) {
        self.value = value
        self.isWeak = isWeak
    }

    package var description: String { (isWeak ? "W/" : "") + "\"" + value + "\"" }

    /// The suffix of a compressed answer's tag, whose bytes differ (RFC 9110, section 8.8.3.3).
    package static let compressed = "-gzip"

    /// Whether this tag stands for the present version, compressed or not.
    fileprivate func names(_ current: EntityTag) -> Bool {
        value == current.value || value == current.value + Self.compressed
    }
}

/// The content of `If-Match`.
package enum EntityTagCondition: Hashable, Sendable {
    /// `*`: any existing version.
    case any
    case tags([EntityTag])

    /// - Returns: `nil` unless it is `*` or a list of 1 to 32 entity tags.
    package init?(_ header: String) {
        let text = trimmed(header[...])
        if text == "*" {
            self = .any
            return
        }
        var reader = text.utf8[...]
        var tags: [EntityTag] = []
        while true {
            reader = reader.drop { $0 == 0x20 || $0 == 0x09 }
            // RFC 9110, section 5.6.1.2: empty elements of a list are skipped.
            if reader.first == UInt8(ascii: ",") {
                reader.removeFirst()
                continue
            }
            guard !reader.isEmpty else { break }
            guard tags.count < 32, let tag = nextTag(&reader) else { return nil }
            tags.append(tag)
            reader = reader.drop { $0 == 0x20 || $0 == 0x09 }
            guard reader.isEmpty || reader.first == UInt8(ascii: ",") else { return nil }
        }
        guard !tags.isEmpty else { return nil }
        self = .tags(tags)
    }

    /// Whether it permits a change: strong comparison.
    package func matches(_ current: EntityTag?) -> Bool {
        switch self {
        case .any: current != nil
        case .tags(let tags):
            current.map { current in
                !current.isWeak && tags.contains { !$0.isWeak && $0.names(current) }
            } ?? false
        }
    }
}

private func nextTag(_ rest: inout Substring.UTF8View.SubSequence) -> EntityTag? {
    var isWeak = false
    if rest.starts(with: "W/".utf8) {
        isWeak = true
        rest = rest.dropFirst(2)
    }
    guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
    let value = rest.prefix(while: isTagCharacter)
    rest = rest[value.endIndex...]
    guard rest.popFirst() == UInt8(ascii: "\""), value.count <= 256 else { return nil }
    return EntityTag(checked: String(decoding: Array(value), as: UTF8.self), isWeak: isWeak)
}

/// `etagc`: visible characters but the quote, and bytes above ASCII.
private func isTagCharacter(_ byte: UInt8) -> Bool {
    byte == 0x21 || (0x23...0x7E).contains(byte) || byte >= 0x80
}
