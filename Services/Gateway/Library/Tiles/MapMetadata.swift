import Routes

/// What a PMTiles archive says about itself: JSON by whoever made it.
struct MapMetadata: Sendable {
    /// Whose work it is; nil where it does not say, or in a way that cannot be shown.
    let attribution: MapTiles.Attribution?

    private static let longest = 2_000

    init(_ bytes: [UInt8]) {
        guard case .object(let members)? = try? JSON(reading: bytes),
            case .string(let text)? = members.first(where: { $0.name == "attribution" })?.value,
            text.utf8.count <= Self.longest
        else {
            attribution = nil
            return
        }
        attribution = Self.attribution(markup: text)
    }

    /// The text of a piece of HTML, which may name several authors, with the first address that it leads to.
    static func attribution(markup: String) -> MapTiles.Attribution? {
        var text = ""
        var link: String?
        var rest = markup[...]
        while let start = rest.firstIndex(of: "<") {
            text += rest[..<start]
            guard let end = rest[start...].firstIndex(of: ">") else { return nil }
            link = link ?? address(in: rest[start..<end])
            rest = rest[rest.index(after: end)...]
        }
        text += rest
        let plain = unescaped(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return link.flatMap { MapTiles.Attribution("\(plain) <\($0)>") } ?? MapTiles.Attribution(plain)
    }

    /// The https address in a tag's `href`.
    private static func address(in tag: Substring) -> String? {
        for quote in ["\"", "'"] {
            guard let start = tag.firstRange(of: "href=" + quote)?.upperBound else { continue }
            return unescaped(tag[start...].prefix { String($0) != quote })
        }
        return nil
    }

    private static func unescaped(_ text: some StringProtocol) -> String {
        [("&copy;", "©"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")]
            .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}
