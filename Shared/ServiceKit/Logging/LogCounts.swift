import Logging

/// Counts the log lines at warning and above.
package struct LogCounts: Sendable {
    private enum Level: String, MetricLabel {
        case warning, error, critical
        static let labelName = "level"
    }

    private let lines: Labelled<Level, Counter>

    package init(_ registry: MetricsRegistry) {
        lines = registry.counter("aqua_log_lines_total", "Lines that were logged, from warnings up.", by: Level.self)
    }

    func count(_ level: Logger.Level) {
        if let level = Level(rawValue: level.rawValue) { lines[level].increment() }
    }
}
