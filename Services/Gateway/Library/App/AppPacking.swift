/// The app as it travels: what only readers of the source need stays behind, all styles go in one answer, and the shell
/// names the scripts that it is going to import, so that a slow phone asks for all of them at once.
///
/// Lines keep their numbers: an error in a browser names the line of the source.
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
        packing.packShell()
        return packing.files
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
