/// The app as it travels: what only readers of the source need stays behind, all styles go in one answer, all sentences of a
/// language in another, and so do the scripts that a screen cannot begin without, so that a slow phone asks for few things.
///
/// Lines of code stay lines: an error in a browser names the line of the source, or one below the line that names its file.
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
        packing.packScripts(files)
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
            let target = ScriptModule.resolved(name, from: path)
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
        for line in String(decoding: shell, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
            if let path = Self.path(in: line, after: #"<link rel="stylesheet" href=""#), let style = files[path] {
                if styles.isEmpty { lines.append(#"<link rel="stylesheet" href="\#(Self.styles)">"#) }
                styles += style
                files[path] = nil
                continue
            }
            lines.append(String(line))
            if Self.started(by: line) != nil, files[ScriptPacks.parts] != nil {
                lines.append(#"<link rel="modulepreload" href="\#(ScriptPacks.parts)">"#)
            }
        }
        files["/index.html"] = Array(lines.joined(separator: "\n").utf8)
        if !styles.isEmpty { files[Self.styles] = styles }
    }

    /// The scripts that the shell starts and announces go with what they import.
    private mutating func packScripts(_ sources: [String: [UInt8]]) {
        let shell = String(decoding: files["/index.html"] ?? [], as: UTF8.self).split(separator: "\n")
        guard let started = shell.compactMap(Self.started).first else { return }
        let announced = shell.compactMap { Self.path(in: $0, after: #"<link rel="modulepreload" href=""#) }
        let scripts = files.filter { $0.key.hasSuffix(".js") }
        let waiting = scripts.keys.filter { sources[$0].map { SourceText($0).waits } == true }
        let packed = ScriptPacks.packed(
            scripts.mapValues { String(decoding: $0, as: UTF8.self) }, waiting: Set(waiting), started: started,
            announced: announced)
        for path in scripts.keys { files[path] = nil }
        files.merge(packed.mapValues { Array($0.utf8) }) { $1 }
    }

    private static func started(by line: Substring) -> String? {
        path(in: line, after: #"<script type="module" src=""#)
    }

    private static func path(in line: Substring, after start: String) -> String? {
        line.firstRange(of: start).map { String(line[$0.upperBound...].prefix { $0 != "\"" }) }
    }

    private static func quoted(_ line: Substring) -> Substring? {
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.count == 3 ? parts[1] : nil
    }
}
