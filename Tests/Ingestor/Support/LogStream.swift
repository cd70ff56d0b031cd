import Instants
import Logging
import ServiceKit

/// Passes on every logged line.
struct LogStream: LogOutput {
    let lines: AsyncStream<String>.Continuation

    func write(_ line: [UInt8]) { lines.yield(String(decoding: line, as: UTF8.self)) }

    /// A logger and its lines.
    static func make() -> (logger: Logger, lines: AsyncStream<String>) {
        let (lines, sink) = AsyncStream.makeStream(of: String.self)
        let logger = Logger(label: "test") { label in
            JSONLogHandler(label: label, level: .info, output: LogStream(lines: sink), clock: .system)
        }
        return (logger, lines)
    }
}
