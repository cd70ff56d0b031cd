/// The app as it travels: what only readers of the source need stays behind, all styles go in one answer and all sentences of
/// a language in another, and the shell names the scripts that it is going to import, so that a slow phone asks for all of
/// them at once.
///
/// Lines of code keep their numbers: an error in a browser names the line of the source.
struct AppPacking {
    static let styles = "/styles/all.css"

    private var files: [String: [UInt8]]

    /// - Parameter files: The contents by their paths.
    static func packed(_ files: [String: [UInt8]]) -> [String: [UInt8]] {
        var packing = AppPacking(files: files)
        for (path, content) in files {
            if path.hasSuffix(".js") { packing.files[path] = SourceText(content).withoutComments }
            if path.hasSuffix(".css") { packing.files[path] = SourceText(content).withoutStyleComments }
        }
        packing.takeInObjects()
        packing.packShell()
        return packing.files
    }

    /// A script that holds nothing but an object goes with the scripts that import it by a name, in place of the import.
    private mutating func takeInObjects() {
        var taken: Set<String> = []
        let scripts = files.filter { $0.key.hasSuffix(".js") }
        for (path, script) in scripts { files[path] = takingInObjects(path, script, &taken) }
        for path in taken { files[path] = nil }
    }

    private func takingInObjects(_ path: String, _ script: [UInt8], _ taken: inout Set<String>) -> [UInt8] {
        let text = String(decoding: script, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.hasPrefix("import "), let name = Self.quoted(line), let from = line.firstRange(of: " from ")
            else {
                return line
            }
            let binding = line[..<from.lowerBound].dropFirst("import ".count)
            let target = Self.resolved(name, from: path)
            guard binding.allSatisfy({ $0.isLetter }), let object = object(in: target) else { return line }
            taken.insert(target)
            return "const \(binding) = \(object)"
        }
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// - Returns: The object that a script exports and nothing else, with its semicolon.
    private func object(in path: String) -> Substring? {
        let start = "export default {"
        let text = String(decoding: files[path] ?? [], as: UTF8.self).drop { $0.isNewline }
        guard text.hasPrefix(start), text.hasSuffix("\n};\n"), text.dropLast().firstRange(of: "\n};\n") == nil else {
            return nil
        }
        return text.dropFirst(start.count - 1).dropLast()
    }

    /// The shell's own lines, each of which names one file.
    private mutating func packShell() {
        guard let shell = files["/index.html"] else { return }
        var styles: [UInt8] = []
        var lines: [String] = []
        var named: Set<String> = []
        for line in String(decoding: shell, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
            if let path = Self.path(in: line, after: #"<link rel="stylesheet" href=""#), let style = files[path] {
                if styles.isEmpty { lines.append(#"<link rel="stylesheet" href="\#(Self.styles)">"#) }
                styles += style
                files[path] = nil
                continue
            }
            lines.append(String(line))
            guard let path = Self.start(in: line) else { continue }
            named.insert(path)
            for other in imported(by: path) where named.insert(other).inserted {
                lines.append(#"<link rel="modulepreload" href="\#(other)">"#)
            }
        }
        files["/index.html"] = Array(lines.joined(separator: "\n").utf8)
        if !styles.isEmpty { files[Self.styles] = styles }
    }

    /// A script that the shell starts or announces.
    private static func start(in line: Substring) -> String? {
        path(in: line, after: #"<script type="module" src=""#)
            ?? path(in: line, after: #"<link rel="modulepreload" href=""#)
    }

    private static func path(in line: Substring, after start: String) -> String? {
        guard line.hasPrefix(start) else { return nil }
        return String(line.dropFirst(start.count).prefix { $0 != "\"" })
    }

    /// - Returns: Every script that a script cannot begin without, the nearest first.
    private func imported(by path: String) -> [String] {
        var found = [path]
        var next = 0
        while next < found.count {
            let text = String(decoding: files[found[next]] ?? [], as: UTF8.self)
            for line in text.split(separator: "\n") {
                guard Self.isImport(line), let name = Self.quoted(line) else { continue }
                let target = Self.resolved(name, from: found[next])
                if files[target] != nil, !found.contains(target) { found.append(target) }
            }
            next += 1
        }
        return Array(found.dropFirst())
    }

    private static func isImport(_ line: Substring) -> Bool {
        line.hasPrefix("import ") || line.hasPrefix("} from ") || (line.hasPrefix("export ") && line.contains(" from "))
    }

    private static func quoted(_ line: Substring) -> Substring? {
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.count == 3 ? parts[1] : nil
    }

    private static func resolved(_ name: Substring, from path: String) -> String {
        var parts = path.split(separator: "/").dropLast()
        for part in name.split(separator: "/") where part != "." {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
