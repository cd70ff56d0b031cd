/// Scripts that travel together: what the shell starts or announces takes with it whatever it cannot begin without, in one
/// answer instead of fifty, for each request costs a slow phone more than its contents.
///
/// A pack is one script. Each of its modules is a function that runs once, in the order in which modules would run, and gives
/// back what it exports; scripts outside import it from there. Lines stay in their order below the line that names their file.
/// Where a script is not written so that it can be moved (`ScriptModule`), its pack is not made.
struct ScriptPacks {
    /// What the started script imports, and what every announced one does. It travels beside the started one: that waits for
    /// its first screen, and screens, which import from here, must not wait for it.
    static let parts = "/app/parts.js"

    private let modules: [String: ScriptModule]
    /// The pack that a script is in.
    private var packs: [String: String] = [:]
    private var answers: [String: String] = [:]

    /// - Parameters:
    ///   - scripts: The texts by their paths, without comments.
    ///   - waiting: The scripts that wait for something before they have run.
    /// - Returns: The texts as they travel; what is in a pack has none of its own.
    static func packed(
        _ scripts: [String: String], waiting: Set<String>, started: String, announced: [String]
    ) -> [String: String] {
        var packs = ScriptPacks(scripts, waiting: waiting)
        let others = scripts.filter { packs.modules[$0.key] == nil }
        // Whoever imports in another form would look for files that are gone, and a name stands for one script.
        guard others.values.allSatisfy({ !ScriptModule.imports($0) }),
            Set(packs.modules.values.map(\.name)).count == packs.modules.count
        else { return scripts }
        packs.packParts(of: started, announced)
        for path in announced { packs.packWhole(path) }
        let alone = packs.modules.filter { packs.packs[$0.key] == nil }.mapValues { packs.linked($0) }
        return others.merging(alone) { $1 }.merging(packs.answers) { $1 }
    }

    private init(_ scripts: [String: String], waiting: Set<String>) {
        var modules: [String: ScriptModule] = [:]
        for (path, text) in scripts {
            modules[path] = ScriptModule(path: path, text: text, waits: waiting.contains(path))
        }
        self.modules = modules
    }

    private mutating func packParts(of started: String, _ announced: [String]) {
        let needed = announced.map { Set(inOrder([$0])?.map(\.path) ?? []) }
        let common = needed.count > 1 ? needed.dropFirst().reduce(needed[0]) { $0.intersection($1) } : []
        guard let members = inOrder([started] + common.sorted())?.filter({ $0.path != started }),
            mayMove(members, with: started)
        else { return }
        for member in members { packs[member.path] = Self.parts }
        answers[Self.parts] = (heads(of: members, in: Self.parts) + bodies(of: members)).joined(separator: "\n") + "\n"
    }

    /// An announced script with what it needs and the parts lack.
    private mutating func packWhole(_ entry: String) {
        guard let members = inOrder([entry])?.filter({ packs[$0.path] == nil }), let last = members.last,
            last.path == entry, mayMove(members, with: entry)
        else { return }
        for member in members { packs[member.path] = entry }
        var lines = heads(of: members, in: entry) + bodies(of: members.dropLast())
        lines += ["// \(entry)"] + last.lines { taken($0) }
        lines.append("export { \(last.exports.joined(separator: ", ")) };")
        answers[entry] = lines.joined(separator: "\n") + "\n"
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
            ["const \(module.name) = (() => { // \(module.path)"] + module.lines { taken($0) }
                + ["return { \(module.exports.joined(separator: ", ")) };", "})();"]
        }
        return bodies + ["export { \(members.map(\.name).joined(separator: ", ")) };"]
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
        return lines.joined(separator: "\n")
    }

    private func taken(_ found: ScriptModule.Import) -> String { found.taken(from: name(of: found.target)) }

    private func name(of path: String) -> String { modules[path]?.name ?? "" }

    // MARK: What can be packed

    /// - Returns: Scripts and everything that they cannot begin without, in the order in which all that runs; `nil` where it
    ///   is not one order, or not known.
    private func inOrder(_ entries: [String]) -> [ScriptModule]? {
        var ordered: [ScriptModule] = []
        var begun: Set<String> = []
        var ended: Set<String> = []
        func visit(_ path: String) -> Bool {
            guard begun.insert(path).inserted else { return ended.contains(path) }
            guard let module = modules[path], module.imports.allSatisfy({ visit($0.target) }) else { return false }
            ended.insert(path)
            ordered.append(module)
            return true
        }
        return entries.allSatisfy(visit) ? ordered : nil
    }

    /// Whether scripts work the same inside of a pack: they wait for nothing before they have run, nobody imports one alone
    /// when it is needed, and each has what the others take from it.
    private func mayMove(_ members: [ScriptModule], with entry: String) -> Bool {
        let alone = Set(modules.values.flatMap(\.laterImports)).subtracting([entry])
        let users = modules.values.flatMap(\.imports)
        return !members.isEmpty
            && members.allSatisfy { module in
                !module.waits && !alone.contains(module.path)
                    && users.filter { $0.target == module.path }.allSatisfy { $0.wanted.allSatisfy(module.hasExport) }
            }
    }
}
