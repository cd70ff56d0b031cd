/// A piece of a template as it is written.
enum TemplateToken: Hashable {
    case text([UInt8])
    case name(String, filter: Filter?)
    case section(String)
    case otherwise
    case end

    /// What a person may ask of a value.
    enum Filter: String, CaseIterable, Hashable { case json, url }

    /// The tokens of a text, each with the line that it begins in.
    static func all(in text: String) throws(TemplateFault) -> [(line: Int, token: TemplateToken)] {
        var tokens: [(line: Int, token: TemplateToken)] = []
        var rest = Array(text.utf8)[...]
        var line = 1
        while let start = rest.position(of: UInt8(ascii: "{")) {
            if start > rest.startIndex { tokens.append((line, .text(Array(rest[..<start])))) }
            line += rest[..<start].count(where: { $0 == newline })
            let inside = rest[(start + 2)...]
            guard let end = inside.position(of: UInt8(ascii: "}")), !inside[..<end].contains(newline) else {
                throw TemplateFault(.unclosed, line: line)
            }
            let words = inside[..<end].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            tokens.append((line, try tag(words.map { String(decoding: $0, as: UTF8.self) }, line)))
            rest = rest[(end + 2)...]
        }
        if !rest.isEmpty { tokens.append((line, .text(Array(rest)))) }
        return tokens
    }

    private static let newline = UInt8(ascii: "\n")

    private static func tag(_ words: [String], _ line: Int) throws(TemplateFault) -> TemplateToken {
        switch words.first {
        case "else" where words.count == 1: return .otherwise
        case "/if" where words.count == 1: return .end
        case "#if": return .section(try name(words.dropFirst(), line))
        default: break
        }
        // The bar may touch its neighbours.
        let sides = words.joined(separator: " ").split(separator: "|", omittingEmptySubsequences: false)
        let name = try name(sides.prefix(1).map { $0.trimmed }, line)
        guard sides.count > 1 else { return .name(name, filter: nil) }
        let asked = sides[1].trimmed
        guard sides.count == 2, let filter = Filter(rawValue: asked) else {
            throw TemplateFault(.unknownFilter(shown(asked)), line: line)
        }
        return .name(name, filter: filter)
    }

    private static func name(_ words: some Collection<String>, _ line: Int) throws(TemplateFault) -> String {
        guard words.count == 1, let word = words.first, TemplateNames.all.contains(word) else {
            throw TemplateFault(.unknownName(shown(words.joined(separator: " "))), line: line)
        }
        return word
    }

    /// What was written, where it can be no more than a misspelt name.
    private static func shown(_ text: String) -> String? {
        let isName = text.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || "._".utf8.contains($0)
        }
        return isName && (1...32).contains(text.utf8.count) ? text : nil
    }
}

extension ArraySlice<UInt8> {
    /// Where a byte stands twice.
    fileprivate func position(of byte: UInt8) -> Int? {
        indices.dropLast().first { self[$0] == byte && self[$0 + 1] == byte }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        let rest = drop { $0 == " " }
        return String(rest.last == " " ? rest.dropLast() : rest)
    }
}
