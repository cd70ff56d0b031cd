/// A script by what it imports and what it exports, as far as both are written in the forms that the app keeps to:
/// whole names at the beginning of a line, and no binding that changes after the script has run.
struct ScriptModule {
    struct Import {
        /// What the names stand for here: `{ h, set as put }` or `* as numbers`; `nil` where it is imported to be run alone.
        let names: String?
        let target: String
        let lines: Range<Int>
    }

    let path: String
    let lines: [Substring]
    let imports: [Import]
    let exports: [String]
    /// Whether it waits for something before it has run.
    let waits: Bool

    /// - Parameter text: Without comments.
    /// - Returns: `nil` for what is written in another form, which then travels alone.
    init?(path: String, text: String, waits: Bool) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var imports: [Import] = []
        var exports: [String] = []
        var next = 0
        while next < lines.count {
            let first = next
            next += 1
            if lines[first].hasPrefix("export ") {
                guard let name = Self.exported(lines[first]) else { return nil }
                exports.append(contentsOf: name.isEmpty ? [] : [name])
            }
            guard lines[first].hasPrefix("import ") else { continue }
            while next < lines.count, !lines[next - 1].hasSuffix("\";") { next += 1 }
            guard let found = Self.imported(by: path, lines, first..<next) else { return nil }
            imports.append(found)
        }
        guard !text.contains("import.meta") else { return nil }
        self.path = path
        self.lines = lines
        self.imports = imports
        self.exports = exports
        self.waits = waits
    }

    /// The name under which its exports stand in the script that it travels in.
    var name: String {
        "$" + path.dropFirst().dropLast(".js".count).map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }

    func hasExport(_ name: Substring) -> Bool { exports.contains { $0 == name } }

    /// The scripts that it imports when they are needed.
    var laterImports: [String] {
        lines.flatMap { line in
            line.split(separator: Self.later, omittingEmptySubsequences: false).dropFirst().map { rest in
                Self.resolved(rest.prefix { $0 != "\"" }, from: path)
            }
        }
    }

    /// Its lines in another script: each import is `replacement`'s, what it exports is only declared, and what it imports
    /// when it is needed is named from the root.
    func lines(replacement: (Import) -> String) -> [String] {
        var moved: [String] = []
        for (number, line) in lines.enumerated() {
            if let found = imports.first(where: { $0.lines.contains(number) }) {
                moved.append(number == found.lines.lowerBound ? replacement(found) : "")
            } else {
                moved.append(rooted(line == "export {};" ? "" : line.hasPrefix("export ") ? line.dropFirst(7) : line))
            }
        }
        return moved
    }

    private func rooted(_ line: Substring) -> String {
        var parts = line.split(separator: Self.later, omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() {
            let name = parts[index].prefix { $0 != "\"" }
            parts[index] = Self.resolved(name, from: path) + parts[index].dropFirst(name.count)
        }
        return parts.joined(separator: Self.later)
    }

    // MARK: Reading lines

    /// Whether a script of whatever form imports anything.
    static func imports(_ text: String) -> Bool {
        text.contains(later)
            || text.split(separator: "\n").contains { $0.hasPrefix("import ") || $0.hasPrefix("} from ") }
    }

    private static let later = "import(\""

    /// - Returns: The name that a line exports, an empty one for `export {};`, and `nil` for any other form.
    private static func exported(_ line: Substring) -> String? {
        if line == "export {};" { return "" }
        var words = line.split(separator: " ").dropFirst()
        if words.first == "async" { words = words.dropFirst() }
        guard let kind = words.first, ["function", "class", "const"].contains(kind), let rest = words.dropFirst().first
        else { return nil }
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return name.isEmpty ? nil : String(name)
    }

    private static func imported(by path: String, _ lines: [Substring], _ range: Range<Int>) -> Import? {
        let statement = lines[range].joined(separator: " ")
        let quoted = statement.split(separator: "\"", omittingEmptySubsequences: false)
        guard quoted.count == 3, quoted[1].hasPrefix("."), quoted[2] == ";" else { return nil }
        var names: String?
        if quoted[0] != "import " {
            guard quoted[0].hasSuffix(" from ") else { return nil }
            let written = quoted[0].dropFirst("import ".count).dropLast(" from ".count)
            guard written.hasPrefix("{ ") && written.hasSuffix("}") || written.hasPrefix("* as ") else { return nil }
            names = String(written)
        }
        return Import(names: names, target: resolved(quoted[1], from: path), lines: range)
    }

    /// - Returns: The path from the root of what a script names relatively to itself.
    static func resolved(_ name: some StringProtocol, from path: String) -> String {
        if name.hasPrefix("/") { return String(name) }
        var parts = path.split(separator: "/").dropLast()
        for part in name.split(separator: "/") where part != "." {
            if part == ".." { parts = parts.dropLast() } else { parts.append(Substring(part)) }
        }
        return "/" + parts.joined(separator: "/")
    }
}

extension ScriptModule.Import {
    /// The statement that gives these names to what an object holds.
    func taken(from object: String) -> String {
        guard let names else { return "" }
        if names.hasPrefix("* as ") { return "const \(names.dropFirst(5)) = \(object);" }
        return "const \(names.replacing(" as ", with: ": ")) = \(object);"
    }

    /// The names as the other script exports them.
    var wanted: [Substring] {
        guard let names, names.hasPrefix("{") else { return [] }
        return names.dropFirst().dropLast().split(separator: ",").compactMap { $0.split(separator: " ").first }
    }
}
