import Instants
import Logging
import ServiceKit

/// Hands on every line that is logged.
struct LogStream: LogOutput {
    let lines: AsyncStream<String>.Continuation

    func write(_ line: [UInt8]) { lines.yield(String(decoding: line, as: UTF8.self)) }

    /// A logger and what it logs.
    static func make() -> (logger: Logger, lines: AsyncStream<String>) {
        let (lines, sink) = AsyncStream.makeStream(of: String.self)
        let logger = Logger(label: "test") { label in
            JSONLogHandler(label: label, level: .info, output: LogStream(lines: sink), clock: .system)
        }
        return (logger, lines)
    }
}
