/// Scripts that travel together: what the shell starts or announces takes with it whatever it cannot begin without, in one
/// answer instead of fifty, for each request costs a slow phone more than its contents.
///
/// A pack is one script. Each of its modules is a function that runs once, in the order in which modules would run, and gives
/// back what it exports; scripts outside import it from there. Lines stay in their order below the line that names their file.
/// A script that is not written so that it can be moved (`ScriptModule`) is refused, and with it the app.
struct ScriptPacks {
    /// What the started script imports, and what every announced one does. It travels beside the started one: that waits for
    /// its first screen, and screens, which import from here, must not wait for it.
    static let parts = "/app/parts.js"

    private let modules: [String: ScriptModule]
    private let started: String
    /// By what each script's exports are called in packs: short where no other file has that name.
    private let names: [String: String]
    /// The pack that a script is in.
    private var packs: [String: String] = [:]
    /// The scripts of each pack, in the order in which they run.
    private var contents: [String: [ScriptModule]] = [:]

    /// - Parameters:
    ///   - scripts: The texts by their paths, without comments.
    ///   - waiting: The lines of scripts that wait for something before they have run.
    /// - Returns: The texts as they travel; what is in a pack has none of its own.
    static func packed(
        _ scripts: [String: String], waiting: [String: Int], started: String, announced: [String]
    ) throws(PackingFault) -> [String: String] {
        var packs = try ScriptPacks(scripts, waiting: waiting, started: started)
        try packs.packParts(announced)
        for path in announced { try packs.packWhole(path) }
        try packs.lookThrough()
        let alone = packs.modules.filter { packs.packs[$0.key] == nil }.mapValues { packs.linked($0) }
        let answers = packs.contents.keys.map { ($0, packs.answer($0)) }
        return alone.merging(answers) { $1 }
    }

    private init(_ scripts: [String: String], waiting: [String: Int], started: String) throws(PackingFault) {
        var modules: [String: ScriptModule] = [:]
        for (path, text) in scripts.sorted(by: { $0.key < $1.key }) {
            modules[path] = try ScriptModule(path: path, text: text, waitsAt: waiting[path])
        }
        self.modules = modules
        self.started = started
        let counts = modules.values.reduce(into: [:]) { counts, module in counts[module.names.short, default: 0] += 1 }
        names = modules.mapValues { counts[$0.names.short] == 1 ? $0.names.short : $0.names.whole }
    }

    private mutating func packParts(_ announced: [String]) throws(PackingFault) {
        var common: Set<String>?
        for path in announced {
            let needed = Set(try inOrder([path]).map(\.path))
            common = common?.intersection(needed) ?? needed
        }
        let shared = announced.count > 1 ? common ?? [] : []
        let members = try inOrder([started] + shared.sorted()).filter { $0.path != started }
        guard !members.isEmpty else { return }
        try take(members, into: Self.parts)
    }

    /// An announced script with what it needs and the parts lack.
    private mutating func packWhole(_ entry: String) throws(PackingFault) {
        let members = try inOrder([entry]).filter { packs[$0.path] == nil }
        try take(members, into: entry)
    }

    /// A pack as it travels, once it is known where every script is.
    private func answer(_ pack: String) -> String {
        let members = contents[pack] ?? []
        var lines = heads(of: members, in: pack)
        if pack == Self.parts {
            lines += bodies(of: members)
        } else if let last = members.last {
            lines += bodies(of: members.dropLast()) + ["// \(pack)"] + moved(last)
            lines.append("export { \(last.exports.joined(separator: ", ")) };")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What a pack imports from others.
    private func heads(of members: [ScriptModule], in pack: String) -> [String] {
        let statements = members.flatMap(\.imports).compactMap { found -> String? in
            guard let other = packs[found.target], other != pack else { return nil }
            let what = other == found.target ? "* as \(name(of: found.target))" : "{ \(name(of: found.target)) }"
            return "import \(what) from \"\(other)\";"
        }
        return Set(statements).sorted()
    }

    /// Modules as functions that have run.
    private func bodies(of members: some Collection<ScriptModule>) -> [String] {
        guard !members.isEmpty else { return [] }
        let bodies = members.flatMap { module in
            ["const \(name(of: module.path)) = (() => { // \(module.path)"] + moved(module)
                + ["return { \(module.exports.joined(separator: ", ")) };", "})();"]
        }
        return bodies + ["export { \(members.map { name(of: $0.path) }.joined(separator: ", ")) };"]
    }

    /// A script that travels alone, and takes what it imports from where that is now.
    private func linked(_ module: ScriptModule) -> String {
        var named: Set<String> = []
        var lines = module.lines.map(String.init)
        for found in module.imports {
            guard let pack = packs[found.target], pack != found.target else { continue }
            let name = name(of: found.target)
            let first = named.insert(name).inserted ? "import { \(name) } from \"\(pack)\"; " : ""
            for number in found.lines { lines[number] = "" }
            lines[found.lines.lowerBound] = first + taken(found)
        }
        for found in module.laterImports { ask(found, written: found.name, in: &lines) }
        return lines.joined(separator: "\n")
    }

    /// The lines of a script inside of a pack.
    private func moved(_ module: ScriptModule) -> [String] {
        var lines = module.lines { taken($0) }
        for found in module.laterImports { ask(found, written: found.target, in: &lines) }
        return lines
    }

    /// A module imported when it is needed that travels in a pack is taken from there.
    private func ask(_ found: ScriptModule.Later, written: String, in lines: inout [String]) {
        guard let pack = packs[found.target], pack != found.target else { return }
        let name = name(of: found.target)
        let asked: String = "import(\"" + pack + "\").then(({ " + name + " }) => " + name + ")"
        lines[found.line] = lines[found.line].replacing("import(\"" + written + "\")", with: asked)
    }

    private func taken(_ found: ScriptModule.Import) -> String { found.taken(from: name(of: found.target)) }

    private func name(of path: String) -> String { names[path] ?? "" }

    // MARK: What can be packed

    /// - Returns: Scripts and everything that they cannot begin without, in the order in which all that runs.
    private func inOrder(_ entries: [String]) throws(PackingFault) -> [ScriptModule] {
        var ordered: [ScriptModule] = []
        var begun: Set<String> = []
        var ended: Set<String> = []
        func visit(_ path: String, _ whence: PackingFault) throws(PackingFault) {
            guard begun.insert(path).inserted else {
                guard ended.contains(path) else {
                    throw PackingFault(path: whence.path, line: whence.line, reason: .ring(with: path))
                }
                return
            }
            guard let module = modules[path] else { throw whence }
            for found in module.imports {
                try visit(
                    found.target,
                    PackingFault(
                        path: path, line: found.lines.lowerBound + 1, reason: .missing(file: found.target)))
            }
            ended.insert(path)
            ordered.append(module)
        }
        for entry in entries {
            try visit(entry, PackingFault(path: "/index.html", line: 1, reason: .missing(file: entry)))
        }
        return ordered
    }

    /// Puts scripts into a pack, as far as they work the same inside of it: they wait for nothing before they have run, and
    /// have names of their own.
    private mutating func take(_ members: [ScriptModule], into pack: String) throws(PackingFault) {
        for member in members {
            if let line = member.waitsAt { throw PackingFault(path: member.path, line: line, reason: .waits) }
            if member.hasDefault { throw PackingFault(path: member.path, line: 1, reason: .export) }
            if let other = names.first(where: { $0.key != member.path && $0.value == name(of: member.path) }) {
                let (first, second) = (min(member.path, other.key), max(member.path, other.key))
                throw PackingFault(path: second, line: 1, reason: .sameName(as: first))
            }
            packs[member.path] = pack
        }
        if !members.isEmpty { contents[pack] = members }
    }

    /// Looks whether each script finds what it imports: the file, and what it takes from it.
    private func lookThrough() throws(PackingFault) {
        for module in modules.values.sorted(by: { $0.path < $1.path }) {
            for found in module.imports {
                func fault(_ reason: PackingFault.Reason) -> PackingFault {
                    PackingFault(path: module.path, line: found.lines.lowerBound + 1, reason: reason)
                }
                guard let target = modules[found.target] else { throw fault(.missing(file: found.target)) }
                for name in found.wanted where !target.hasExport(name) {
                    throw fault(.unexported(name: String(name), by: target.path))
                }
            }
            for found in module.laterImports where modules[found.target] == nil {
                throw PackingFault(path: module.path, line: found.line + 1, reason: .missing(file: found.target))
            }
        }
    }
}
