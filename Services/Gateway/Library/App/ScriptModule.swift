/// A script by what it imports and what it exports, read by its lines. These forms are permitted, each at the beginning of a
/// line, and any other is refused with its file and line (`PackingFault`):
///
/// | form | in packs |
/// |---|---|
/// | `import { a, b as c } from "./file.js";`, also over several lines | names of an object |
/// | `import * as a from "./file.js";` | the object |
/// | `import "./file.js";` | nothing: it has run |
/// | `import a from "./file.js";` | the object that the file consists of, in its place |
/// | `export { default as a } from "./file.js";` | the same, exported |
/// | `export function a`, `export async function a`, `export class A`, `export const a` | declared, and given back at the end |
/// | `export {};` | nothing |
/// | `export default {` ... `};` | goes with whoever imports it by a name; a script with more than that travels alone |
/// | `import("./file.js")`, anywhere | named from the root, or taken from the pack that has it |
///
/// A module that waits before it has run says so with `await` on a line without indentation. Templates have no backticks inside.
struct ScriptModule {
    struct Import {
        enum Names: Equatable {
            case none
            /// The text in the braces: `h, set as put`.
            case some(String)
            case all(String)
            /// The object that the other script consists of.
            case object(String, isExported: Bool)
        }

        let names: Names
        let target: String
        let lines: Range<Int>
    }

    /// Modules imported when they are needed, by the name that is written.
    struct Later {
        let name: String
        let target: String
        let line: Int
    }

    let path: String
    let lines: [Substring]
    let imports: [Import]
    let exports: [String]
    /// The scripts that it imports when they are needed, with their lines.
    let laterImports: [Later]
    /// Where it waits for something before it has run.
    let waitsAt: Int?
    let hasDefault: Bool

    /// - Parameter text: Without comments.
    init(path: String, text: String, waitsAt: Int?) throws(PackingFault) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var imports: [Import] = []
        var exports: [String] = []
        var later: [Later] = []
        var hasDefault = false
        var next = 0
        while next < lines.count {
            let first = next
            let line = lines[first]
            next += 1
            /// - Returns: The fault of this line.
            func fault(_ reason: PackingFault.Reason) -> PackingFault {
                PackingFault(path: path, line: first + 1, reason: reason)
            }
            if line.contains("import.meta") { throw fault(.meta) }
            if Self.isBehind(line) { throw fault(.behind) }
            for name in try Self.later(in: line, else: fault(.later)) {
                later.append(Later(name: String(name), target: Self.resolved(name, from: path), line: first))
            }
            if line.hasPrefix("export default ") {
                guard line.hasPrefix("export default {") else { throw fault(.export) }
                hasDefault = true
            } else if line.hasPrefix("export { default as ") {
                guard let found = Self.reexported(by: path, line, first..<next) else { throw fault(.export) }
                imports.append(found)
            } else if Self.begins(line, "export") {
                guard let name = Self.exported(line) else { throw fault(.export) }
                exports.append(contentsOf: name.isEmpty ? [] : [name])
            } else if Self.begins(line, "import"), !line.hasPrefix("import(") {
                while next < lines.count, !lines[next - 1].hasSuffix("\";"), lines[next - 1].last != ";" { next += 1 }
                guard let found = Self.imported(by: path, lines, first..<next) else { throw fault(.import) }
                imports.append(found)
            }
        }
        self.path = path
        self.lines = lines
        self.imports = imports
        self.exports = exports
        self.laterImports = later
        self.waitsAt = waitsAt
        self.hasDefault = hasDefault
    }

    /// The names under which its exports may stand in the script that it travels in: of its file alone, and of its whole path.
    var names: (short: String, whole: String) {
        let whole = path.dropFirst().dropLast(".js".count)
        func named(_ text: some StringProtocol) -> String {
            "$" + text.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
        }
        return (named(whole.split(separator: "/").last ?? whole), named(whole))
    }

    func hasExport(_ name: Substring) -> Bool { exports.contains { $0 == name } }

    /// Its lines in another script: each import is `replacement`'s, what it exports is only declared, and what it imports
    /// when it is needed is named from the root.
    func lines(replacement: (Import) -> String) -> [String] {
        var moved: [String] = []
        for (number, line) in lines.enumerated() {
            if let found = imports.first(where: { $0.lines.contains(number) }) {
                moved.append(number == found.lines.lowerBound ? replacement(found) : "")
            } else {
                let plain = line == "export {};" ? "" : line.hasPrefix("export ") ? line.dropFirst(7) : line
                moved.append(Self.rooted(plain, from: path))
            }
        }
        return moved
    }

    /// A line in a script of another folder: what is imported when it is needed is named from the root.
    static func rooted(_ line: Substring, from path: String) -> String {
        var parts = line.split(separator: Self.quotedLater, omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() {
            let name = parts[index].prefix { $0 != "\"" }
            parts[index] = Self.resolved(name, from: path) + parts[index].dropFirst(name.count)
        }
        return parts.joined(separator: Self.quotedLater)
    }

    // MARK: Reading lines

    private static let quotedLater = "import(\""

    /// Whether a line begins with a word, whatever comes after it.
    private static func begins(_ line: Substring, _ word: String) -> Bool {
        guard line.hasPrefix(word) else { return false }
        return line.dropFirst(word.count).first.map { !$0.isLetter && !$0.isNumber && !"_$.:".contains($0) } ?? true
    }

    /// Whether something is imported or exported behind another statement.
    private static func isBehind(_ line: Substring) -> Bool {
        ["import", "export"].contains { word in
            line.ranges(of: word).contains { range in
                let before = line[..<range.lowerBound].last { $0 != " " }
                let after = line[range.upperBound...]
                return (before == ";" || before == "}") && (after.first == " " || after.first == "{")
            }
        }
    }

    /// The names of what a line imports when it is needed.
    private static func later(
        in line: Substring, else fault: PackingFault
    ) throws(PackingFault) -> [Substring] {
        var names: [Substring] = []
        for range in line.ranges(of: "import") {
            // Part of a longer name, or of what is said.
            if let before = line[..<range.lowerBound].last, before.isLetter || before.isNumber || "_$.".contains(before)
            {
                continue
            }
            let rest = line[range.upperBound...].drop { $0 == " " }
            guard rest.first == "(" else { continue }
            let inner = line[range.upperBound...].dropFirst()
            guard line[range.upperBound...].first == "(", inner.first == "\"" else { throw fault }
            let name = inner.dropFirst().prefix { $0 != "\"" }
            guard inner.dropFirst(name.count + 1).hasPrefix("\")") else { throw fault }
            names.append(name)
        }
        return names
    }

    /// - Returns: The name that a line exports, an empty one for `export {};`, and `nil` for any other form.
    private static func exported(_ line: Substring) -> String? {
        if line == "export {};" { return "" }
        guard line.hasPrefix("export ") else { return nil }
        var words = line.split(separator: " ").dropFirst()
        if words.first == "async" { words = words.dropFirst() }
        guard let kind = words.first, ["function", "class", "const"].contains(kind), let rest = words.dropFirst().first
        else { return nil }
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return name.isEmpty || kind == "const" && hasAnother(line) ? nil : String(name)
    }

    /// Whether a line declares a second name: it has a comma outside of brackets and quotes.
    private static func hasAnother(_ line: Substring) -> Bool {
        var depth = 0
        var quote: Character?
        for character in line {
            if let mark = quote {
                if character == mark { quote = nil }
            } else if "\"'`".contains(character) {
                quote = character
            } else if "([{".contains(character) {
                depth += 1
            } else if ")]}".contains(character) {
                depth -= 1
            } else if character == ",", depth == 0 {
                return true
            }
        }
        return false
    }

    private static func reexported(by path: String, _ line: Substring, _ range: Range<Int>) -> Import? {
        let quoted = line.split(separator: "\"", omittingEmptySubsequences: false)
        guard quoted.count == 3, quoted[1].hasPrefix("."), quoted[2] == ";", quoted[0].hasSuffix(" } from ") else {
            return nil
        }
        let name = quoted[0].dropFirst("export { default as ".count).dropLast(" } from ".count)
        guard isName(name) else { return nil }
        return Import(
            names: .object(String(name), isExported: true), target: resolved(quoted[1], from: path), lines: range)
    }

    private static func imported(by path: String, _ lines: [Substring], _ range: Range<Int>) -> Import? {
        let statement = lines[range].joined(separator: " ")
        let quoted = statement.split(separator: "\"", omittingEmptySubsequences: false)
        guard quoted.count == 3, quoted[1].hasPrefix("."), quoted[2] == ";" else { return nil }
        let target = resolved(quoted[1], from: path)
        if quoted[0] == "import " { return Import(names: .none, target: target, lines: range) }
        guard quoted[0].hasPrefix("import "), quoted[0].hasSuffix(" from ") else { return nil }
        let written = quoted[0].dropFirst("import ".count).dropLast(" from ".count)
        if written.hasPrefix("* as "), isName(written.dropFirst(5)) {
            return Import(names: .all(String(written.dropFirst(5))), target: target, lines: range)
        }
        if isName(written) {
            return Import(names: .object(String(written), isExported: false), target: target, lines: range)
        }
        guard written.hasPrefix("{ "), written.hasSuffix(" }"), !written.dropFirst().contains("{") else { return nil }
        return Import(names: .some(String(written.dropFirst(2).dropLast(2))), target: target, lines: range)
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
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
        switch names {
        case .none, .object: ""
        case .all(let name): "const \(name) = \(object);"
        case .some(let written): "const { \(written.replacing(" as ", with: ": ")) } = \(object);"
        }
    }

    /// The names as the other script exports them.
    var wanted: [Substring] {
        guard case .some(let written) = names else { return [] }
        return written.split(separator: ",").compactMap { $0.split(separator: " ").first }
    }
}
