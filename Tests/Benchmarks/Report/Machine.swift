import Foundation
import Glibc

/// The machine of a measurement; figures cannot be compared without it.
struct Machine: Encodable {
    let processor: String
    let cores: Int
    let memoryGib: Double
    let system: String
    let loadAtStart: [Double]
    var loadAtEnd: [Double] = []

    static func current() -> Machine {
        Machine(
            processor: value("model name", in: "/proc/cpuinfo") ?? "unknown processor",
            cores: ProcessInfo.processInfo.activeProcessorCount,
            memoryGib: (Double(ProcessInfo.processInfo.physicalMemory) / 1_073_741_824 * 10).rounded() / 10,
            system: "\(ProcessInfo.processInfo.operatingSystemVersionString), kernel \(kernel)",
            loadAtStart: load())
    }

    /// The load averages of 1, 5 and 15 minutes.
    static func load() -> [Double] {
        var averages = [Double](repeating: 0, count: 3)
        return getloadavg(&averages, 3) == 3 ? averages.map { ($0 * 100).rounded() / 100 } : []
    }

    private static var kernel: String {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"
    }

    private static func value(_ name: String, in file: String) -> String? {
        let line = try? String(contentsOfFile: file, encoding: .utf8)
            .split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(separator: ":", maxSplits: 1).last?.trimmingCharacters(in: .whitespaces)
    }

    var text: String {
        """
        \(processor), \(cores) cores, \(memoryGib) GiB; \(system)
        Load averages: \(Self.words(loadAtStart)) at the start, \(Self.words(loadAtEnd)) at the end
        """
    }

    private static func words(_ averages: [Double]) -> String {
        averages.map { String(format: "%.2f", $0) }.joined(separator: " ")
    }
}
