/// An SVG of shapes alone, by lists of what may stand in one: no script, no link, nothing that is loaded, nothing that moves, no reuse that
/// could grow without end. Whatever the lists do not have is refused rather than left out, so that what was drawn is what is shown.
struct PlainSVG {
    /// The width, which is the height.
    let side: Int

    private static let elements: Set<String> = [
        "svg", "g", "defs", "title", "desc", "style", "path", "rect", "circle", "ellipse", "line", "polyline",
        "polygon",
        "text", "tspan", "linearGradient", "radialGradient", "stop", "clipPath", "mask", "filter", "feBlend",
        "feColorMatrix", "feComposite", "feDropShadow", "feFlood", "feGaussianBlur", "feMerge", "feMergeNode",
        "feOffset",
    ]
    private static let namespace = "http://www.w3.org/2000/svg"
    private static let references: Set<Substring> = ["amp", "lt", "gt", "quot", "apos"]
    private static let deepest = 64

    init(_ file: [UInt8]) throws(LogoFault) {
        guard let text = String(validating: file, as: UTF8.self) else { throw .noSVG }
        var reader = Reader(rest: text.unicodeScalars.first == "\u{feff}" ? text.dropFirst() : text[...])
        guard reader.rest.allSatisfy(Self.isAlone) else { throw .noSVG }
        reader.skipSpace()
        if reader.skip("<?xml ") { try Self.checkDeclaration(reader.upTo("?>")) }
        var open: [String] = []
        var side: Int?
        while let tag = try reader.nextTag(isInside: !open.isEmpty) {
            switch tag {
            case .end(let name):
                guard open.popLast() == name else { throw .noSVG }
            case .start(let name, let attributes, let isClosed):
                guard Self.elements.contains(name) else { throw .element(name) }
                for attribute in attributes { try Self.check(attribute) }
                if open.isEmpty {
                    guard side == nil, name == "svg" else { throw .noSVG }
                    side = try Self.side(of: attributes)
                }
                if isClosed { continue }
                guard open.count < Self.deepest else { throw .noSVG }
                open.append(name)
                if name == "style" {
                    let style = try reader.text()
                    // Tags and comments would part it, and the parts are one style again.
                    guard !style.contains("&"), reader.rest.hasPrefix("</style") else { throw .style }
                    try Self.checkStyle(style)
                }
            }
        }
        guard let side, open.isEmpty else { throw .noSVG }
        self.side = side
    }

    /// Whether a character is what browsers read there: they read scalars, and take a mark of markup as such beside whatever would join it.
    private static func isAlone(_ character: Character) -> Bool {
        let scalars = character.unicodeScalars
        return scalars.count == 1 || character == "\r\n"
            || scalars.allSatisfy { !$0.isASCII || $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }

    /// Another encoding would be another text.
    private static func checkDeclaration(_ declaration: Substring) throws(LogoFault) {
        let text = declaration.lowercased().filter { !$0.isWhitespace }.replacing("'", with: "\"")
        let encodings = text.split(separator: "encoding=", omittingEmptySubsequences: false).dropFirst()
        guard encodings.allSatisfy({ $0.hasPrefix("\"utf-8\"") }) else { throw .noSVG }
    }

    private typealias Attribute = (name: String, value: String)

    private static func check(_ attribute: Attribute) throws(LogoFault) {
        let (name, value) = attribute
        if name == "xmlns" { guard value == namespace else { throw .attribute(name) } }
        // Declares a prefix, and loads nothing.
        if name.hasPrefix("xmlns:") { return }
        // Whatever the prefix is called, it may stand for the one that makes it a link.
        let local = name.split(separator: ":").last.map { $0.lowercased() } ?? ""
        guard !local.hasPrefix("on"), !["href", "src", "base"].contains(local), isPlain(value) else {
            throw .attribute(name)
        }
        do { try checkStyle(value[...]) } catch { throw .attribute(name) }
    }

    /// Whether a value has no character reference beside those that XML itself needs.
    private static func isPlain(_ value: String) -> Bool {
        value.split(separator: "&", omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
            part.firstIndex(of: ";").map { references.contains(part[..<$0]) } ?? false
        }
    }

    /// Values of attributes are styles, too: `fill="url(#water)"`.
    private static func checkStyle(_ style: Substring) throws(LogoFault) {
        let style = style.lowercased()
        guard !style.contains("@"), !style.contains("\\"), !style.contains("script:"), !style.contains("image("),
            !style.contains("image-set(")
        else { throw .style }
        for part in style.split(separator: "url(", omittingEmptySubsequences: false).dropFirst() {
            guard part.drop(while: { " '\"".contains($0) }).first == "#" else { throw .style }
        }
    }

    /// The side by the view box, or else by width and height.
    private static func side(of attributes: [Attribute]) throws(LogoFault) -> Int {
        func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
        guard value("xmlns") == namespace else { throw .noSVG }
        let numbers =
            value("viewBox")?.split { $0 == " " || $0 == "," }.compactMap { Double($0) }.suffix(2)
            ?? ["width", "height"].compactMap {
                value($0).flatMap { Double($0.hasSuffix("px") ? $0.dropLast(2) : $0[...]) }
            }[...]
        guard numbers.count == 2, let width = numbers.first, let height = numbers.last,
            (1...100_000).contains(width), (1...100_000).contains(height)
        else { throw .noSVG }
        guard (width - height).magnitude <= width / 100 else {
            throw .shape(width: Int(width.rounded()), height: Int(height.rounded()))
        }
        return Int(width.rounded())
    }

    private enum Tag {
        case start(String, [Attribute], isClosed: Bool)
        case end(String)
    }

    /// Reads tags and what is between them (XML 1.0, without document types and instructions).
    private struct Reader {
        var rest: Substring

        mutating func skip(_ text: String) -> Bool {
            guard rest.hasPrefix(text) else { return false }
            rest = rest.dropFirst(text.count)
            return true
        }

        mutating func skipSpace() { rest = rest.drop(while: \.isWhitespace) }

        mutating func upTo(_ end: String) throws(LogoFault) -> Substring {
            guard let found = rest.firstRange(of: end) else { throw .noSVG }
            defer { rest = rest[found.upperBound...] }
            return rest[..<found.lowerBound]
        }

        /// Everything before the next tag.
        mutating func text() throws(LogoFault) -> Substring {
            guard let end = rest.firstIndex(of: "<") else { throw .noSVG }
            defer { rest = rest[end...] }
            return rest[..<end]
        }

        /// - Returns: nil at the end.
        mutating func nextTag(isInside: Bool) throws(LogoFault) -> Tag? {
            while true {
                let between = rest.prefix { $0 != "<" }
                guard isInside || between.allSatisfy(\.isWhitespace) else { throw .noSVG }
                rest = rest[between.endIndex...]
                guard !rest.isEmpty else { return nil }
                guard skip("<!--") else { break }
                _ = try upTo("-->")
            }
            guard skip("<") else { throw .noSVG }
            if skip("/") {
                let name = try upTo(">")
                return .end(String(name.prefix { !$0.isWhitespace }))
            }
            let name = try name()
            var attributes: [Attribute] = []
            while true {
                skipSpace()
                if skip("/>") { return .start(name, attributes, isClosed: true) }
                if skip(">") { return .start(name, attributes, isClosed: false) }
                attributes.append((try self.name(), try value()))
            }
        }

        private mutating func name() throws(LogoFault) -> String {
            let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_:.".contains($0)) }
            guard let first = name.first, first.isLetter || first == "_" else { throw .noSVG }
            rest = rest[name.endIndex...]
            return String(name)
        }

        private mutating func value() throws(LogoFault) -> String {
            skipSpace()
            guard skip("=") else { throw .noSVG }
            skipSpace()
            let quote = rest.first.map(String.init) ?? ""
            guard quote == "\"" || quote == "'", skip(quote) else { throw .noSVG }
            let value = try upTo(quote)
            guard !value.contains("<") else { throw .noSVG }
            return String(value)
        }
    }
}
