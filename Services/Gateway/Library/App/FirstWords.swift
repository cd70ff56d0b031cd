import Routes
import Words

/// The words that the first screens ask for, as the app's own list says: sections, and texts with those that are called after them, as
/// `account.event_signedIn` is after `account.event`. All others come with the screens that are loaded when they are needed.
struct FirstWords {
    static let path = "/lang/first.json"

    private let entries: Set<String>

    /// - Parameter list: The contents of the list, which has one entry a line.
    init(_ list: [UInt8]?) throws(PackingFault) {
        guard let list else { throw PackingFault(path: "/lang/index.js", line: 1, reason: .missing(file: Self.path)) }
        guard case .array(let elements)? = try? JSON(reading: list) else {
            throw PackingFault(path: Self.path, line: 1, reason: .noList)
        }
        var entries: Set<String> = []
        for (number, element) in elements.enumerated() {
            guard let entry = element.string else {
                throw PackingFault(path: Self.path, line: number + 2, reason: .noList)
            }
            for catalogue in Catalogue.all where !Self.names(entry, in: catalogue) {
                let reason = PackingFault.Reason.unworded(key: entry, language: catalogue.code)
                throw PackingFault(path: Self.path, line: number + 2, reason: reason)
            }
            entries.insert(entry)
        }
        self.entries = entries
    }

    func contain(_ name: String, of section: String) -> Bool {
        entries.contains(section) || Self.heads(of: name).contains { entries.contains("\(section).\($0)") }
    }

    /// A name and those that it is called after: of `once_text` itself and `once`.
    private static func heads(of name: String) -> [Substring] {
        [name[...]] + name.indices.filter { name[$0] == "_" }.map { name[..<$0] }
    }

    private static func names(_ entry: String, in catalogue: Catalogue) -> Bool {
        if catalogue.app[entry] != nil { return true }
        let parts = entry.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let texts = catalogue.app[String(parts[0])] else { return false }
        return texts.keys.contains { heads(of: $0).contains(parts[1]) }
    }
}
