import Routes
import Words

extension FuzzTarget {
    /// The headers of content negotiation: entity tags, and languages.
    static let condition = FuzzTarget(
        "condition",
        seeds: ["\"v3\", W/\"a\", \"\"", "*", "ja, es-MX;q=0.8, en;q=0.75, *;q=0", "de ; q=1.000 ,\tja;q=0."],
        words: ["W/", "\"", ",", ";", "q=", "0.", "1.001", "*", "ja", "es-", "\t", "é", "\0"]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        _ = Language(acceptLanguage: text)
        guard case .tags(let tags)? = EntityTagCondition(text) else { return }
        try promise((1...32).contains(tags.count), "\(tags.count) tags")
        let written = tags.map(\.description).joined(separator: ", ")
        try promise(EntityTagCondition(written) == .tags(tags), "\(written) is read differently")
        for tag in tags {
            try promise(EntityTagCondition.tags([tag]).matches(tag) != tag.isWeak, "\(tag) against itself")
        }
    }
}
