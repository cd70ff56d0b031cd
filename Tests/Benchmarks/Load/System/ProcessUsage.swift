import Foundation
import Glibc

/// The resources that processes have used, from /proc.
struct ProcessUsage: Sendable {
    /// User and system time in seconds, ended children included.
    var cpuSeconds = 0.0
    /// Resident memory in MiB; each process gets its share of pages that several share.
    var memoryMiB = 0.0

    /// The usage of one process and all of its running descendants.
    static func ofTree(_ root: Int32) -> ProcessUsage {
        tree(root).reduce(into: ProcessUsage()) { $0.add($1) }
    }

    /// The most memory that one process of a tree has for itself alone, in MiB: without what it shares with others, such as PostgreSQL's buffers.
    static func largestPrivateMiB(in root: Int32) -> Double {
        let sizes = tree(root).map { process in
            let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0
        }
        return (sizes.max() ?? 0) / 1_024
    }

    private static func tree(_ root: Int32) -> [Int32] {
        var children: [Int32: [Int32]] = [:]
        for process in allProcesses() {
            if let stat = Stat(process) { children[stat.parent, default: []].append(process) }
        }
        var found: [Int32] = []
        var rest = [root]
        while let process = rest.popLast() {
            found.append(process)
            rest += children[process] ?? []
        }
        return found
    }

    private mutating func add(_ process: Int32) {
        cpuSeconds += Stat(process)?.cpuSeconds ?? 0
        let rollup = (try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)) ?? ""
        let line = rollup.split(separator: "\n").first { $0.hasPrefix("Pss:") }
        let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
        memoryMiB += kibibytes / 1024
    }

    /// The oldest process of a program with an argument in a directory.
    static func find(_ program: String, in directory: String) -> Int32? {
        allProcesses().sorted().first { process in
            guard let line = try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline")) else { return false }
            let arguments = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return arguments.first?.hasSuffix("/\(program)") == true
                && arguments.dropFirst().contains { $0.hasPrefix(directory) }
        }
    }

    private static func allProcesses() -> [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap(Int32.init)
    }

    private struct Stat {
        let parent: Int32
        let cpuSeconds: Double

        init?(_ process: Int32) {
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                // The name in parentheses may contain anything.
                let end = text.lastIndex(of: ")")
            else { return nil }
            let columns = text[text.index(after: end)...].split(separator: " ")
            guard columns.count > 14, let parent = Int32(columns[1]) else { return nil }
            self.parent = parent
            let ticks = columns[11...14].compactMap { Double($0) }.reduce(0, +)
            cpuSeconds = ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }
}
