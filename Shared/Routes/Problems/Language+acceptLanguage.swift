package import Words

extension Language {
    /// The language that an `Accept-Language` header asks for (RFC 9110, section 12.5.4); `nil` if it names none of
    /// ours: the caller then uses the person's setting.
    ///
    /// The greatest weight wins, and the first of equal weights. A range such as `es-MX` asks for its first subtag, and
    /// `*` for any language that no other range names. Only the first 32 ranges are read.
    package init?(acceptLanguage header: String) {
        var weights: [(language: Language?, weight: Int)] = []
        for range in header.split(separator: ",", maxSplits: 32).prefix(32) {
            let parts = range.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            let weight = parts.count == 2 ? qualityWeight(parts[1]) : 1000
            let tag = trimmed(parts[0]).lowercased()
            let primary = tag.split(separator: "-", maxSplits: 1).first.map(String.init)
            guard let weight, let primary else { continue }
            if primary == "*" {
                weights.append((nil, weight))
            } else if let language = Language(rawValue: primary) {
                weights.append((language, weight))
            }
        }
        let named = Set(weights.compactMap(\.language))
        let unnamed = Language.allCases.first { !named.contains($0) }
        var best: (language: Language, weight: Int)?
        for (language, weight) in weights {
            // A weight of zero excludes a language.
            guard let language = language ?? unnamed, weight > best?.weight ?? 0 else { continue }
            best = (language, weight)
        }
        guard let best else { return nil }
        self = best.language
    }
}

/// The weight of `q=0.8` in thousandths; `nil` if it is malformed.
private func qualityWeight(_ text: Substring) -> Int? {
    let parts = trimmed(text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "q" || parts[0] == "Q" else { return nil }
    let number = parts[1].utf8
    guard (1...5).contains(number.count), let whole = number.first, whole == 0x30 || whole == 0x31 else { return nil }
    var weight = whole == 0x31 ? 1000 : 0
    var rest = number.dropFirst()
    guard !rest.isEmpty else { return weight }
    guard rest.removeFirst() == UInt8(ascii: ".") else { return nil }
    var scale = 100
    for byte in rest {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        weight += Int(byte - UInt8(ascii: "0")) * scale
        scale /= 10
    }
    return weight <= 1000 ? weight : nil
}

/// The text without spaces and tabs around it (`OWS`).
func trimmed(_ text: Substring) -> Substring {
    func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
    guard let first = text.firstIndex(where: { !isSpace($0) }), let last = text.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return text[first...last]
}
