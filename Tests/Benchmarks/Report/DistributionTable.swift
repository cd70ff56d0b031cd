import Foundation

/// A table of distributions, in milliseconds.
struct DistributionTable {
    private var lines: [String]
    private static let titleWidth = 44

    init(_ title: String) {
        let columns = ["p50", "p90", "p99", "p99.9", "max", "mean"].map { Self.padded($0, 10, onLeft: true) }
        lines = [Self.padded(title, Self.titleWidth) + columns.joined()]
    }

    mutating func add(_ name: String, _ distribution: Distribution) {
        let values = [
            distribution.percentile(50), distribution.percentile(90), distribution.percentile(99),
            distribution.percentile(99.9),
            distribution.maximum, distribution.mean,
        ]
        let cells = values.map { Self.padded(String(format: "%.2f", $0), 10, onLeft: true) }
        lines.append(Self.padded("  " + name, Self.titleWidth) + cells.joined())
    }

    var text: String { lines.joined(separator: "\n") }

    private static func padded(_ text: String, _ width: Int, onLeft: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - text.count))
        return onLeft ? blanks + text : text + blanks
    }
}
