/// The app as it travels: what only readers of the source need stays behind, all styles go in one answer, the sentences of a
/// language in two (`AppLanguages`), and the scripts that a screen cannot begin without in one again, so that a slow phone asks
/// for few things.
///
/// Lines of code stay lines: an error in a browser names the line of the source, or one below the line that names its file.
struct AppPacking {
    static let styles = "/styles/all.css"

    private var files: [String: [UInt8]]
    /// The lines of scripts that wait for something before they have run.
    private var waiting: [String: Int] = [:]

    /// - Parameter files: The contents by their paths.
    static func packed(
        _ files: [String: [UInt8]], look: AppLook = .product
    ) throws(PackingFault) -> [String: [UInt8]] {
        var packing = AppPacking(files: try AppLanguages.added(to: look.applied(to: files), look))
        for (path, content) in packing.files.sorted(by: { $0.key < $1.key }) {
            let source = SourceText(content, path: path)
            if path.hasSuffix(".js") {
                packing.files[path] = try source.withoutComments()
                packing.waiting[path] = source.waitsAt
            }
            if path.hasSuffix(".css") { packing.files[path] = try source.withoutStyleComments() }
        }
        try packing.takeInObjects()
        try packing.packScripts()
        try packing.packShell()
        return packing.files
    }

    private var scripts: [String: String] {
        files.filter { $0.key.hasSuffix(".js") }.mapValues { String(decoding: $0, as: UTF8.self) }
    }

    /// A script that holds nothing but an object goes with the scripts that import it by a name, in place of the import.
    private mutating func takeInObjects() throws(PackingFault) {
        let texts = scripts
        var taken: Set<String> = []
        for (path, text) in texts.sorted(by: { $0.key < $1.key }) {
            let module = try ScriptModule(path: path, text: text, waitsAt: waiting[path])
            var lines = module.lines.map(String.init)
            for found in module.imports {
                guard case .object(let name, let isExported) = found.names else { continue }
                guard let object = Self.object(texts[found.target] ?? "") else {
                    let line = found.lines.lowerBound + 1
                    throw PackingFault(path: path, line: line, reason: .noObject(file: found.target))
                }
                taken.insert(found.target)
                let own = object.split(separator: "\n", omittingEmptySubsequences: false)
                    .map { ScriptModule.rooted($0, from: found.target) }.joined(separator: "\n")
                for number in found.lines { lines[number] = "" }
                lines[found.lines.lowerBound] = "\(isExported ? "export " : "")const \(name) = \(own)"
            }
            files[path] = Array(lines.joined(separator: "\n").utf8)
        }
        for path in taken { files[path] = nil }
    }

    /// - Returns: The object that a script exports and nothing else, with its semicolon.
    private static func object(_ script: String) -> Substring? {
        let start = "export default {"
        let text = script.drop { $0.isNewline }
        guard text.hasPrefix(start), text.hasSuffix("\n};\n"), text.dropLast().firstRange(of: "\n};\n") == nil else {
            return nil
        }
        return text.dropFirst(start.count - 1).dropLast()
    }

    /// The shell's own lines, each of which names one file, or all styles below a folder: `/screens/*.css`, in the order of
    /// their names.
    private mutating func packShell() throws(PackingFault) {
        guard let shell = files["/index.html"] else { return }
        var styles: [UInt8] = []
        var isFirst = true
        var lines: [String] = []
        let written = String(decoding: shell, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in written.enumerated() {
            if let path = Self.path(in: line, after: #"<link rel="stylesheet" href=""#) {
                for style in try stylesNamed(path, at: number + 1) {
                    styles += files[style] ?? []
                    files[style] = nil
                }
                if isFirst { lines.append(#"<link rel="stylesheet" href="\#(Self.styles)">"#) }
                isFirst = false
                continue
            }
            lines.append(String(line))
            if Self.started(by: line) != nil, files[ScriptPacks.parts] != nil {
                lines.append(#"<link rel="modulepreload" href="\#(ScriptPacks.parts)">"#)
            }
        }
        files["/index.html"] = Array(lines.joined(separator: "\n").utf8)
        if !isFirst { files[Self.styles] = styles }
    }

    private func stylesNamed(_ name: String, at line: Int) throws(PackingFault) -> [String] {
        let ends = name.split(separator: "*", omittingEmptySubsequences: false)
        let found = files.keys.filter { path in
            ends.count == 2 ? path.hasPrefix(ends[0]) && path.hasSuffix(ends[1]) : path == name
        }
        guard !found.isEmpty else { throw PackingFault(path: "/index.html", line: line, reason: .missing(file: name)) }
        return found.sorted()
    }

    /// The scripts that the shell starts and announces go with what they import.
    private mutating func packScripts() throws(PackingFault) {
        let shell = String(decoding: files["/index.html"] ?? [], as: UTF8.self).split(separator: "\n")
        guard let started = shell.compactMap(Self.started).first else { return }
        let announced = shell.compactMap { Self.path(in: $0, after: #"<link rel="modulepreload" href=""#) }
        let scripts = scripts
        let packed = try ScriptPacks.packed(scripts, waiting: waiting, started: started, announced: announced)
        for path in scripts.keys { files[path] = nil }
        files.merge(packed.mapValues { Array($0.utf8) }) { $1 }
    }

    private static func started(by line: Substring) -> String? {
        path(in: line, after: #"<script type="module" src=""#)
    }

    private static func path(in line: Substring, after start: String) -> String? {
        line.firstRange(of: start).map { String(line[$0.upperBound...].prefix { $0 != "\"" }) }
    }
}
