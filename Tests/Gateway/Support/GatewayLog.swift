import Logging
import Synchronization
import TestSupport

/// The log of a gateway.
final class GatewayLog: Sendable {
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: Logger.Metadata

        subscript(key: String) -> String? { metadata[key].map { "\($0)" } }
    }

    private let all = Mutex<[Line]>([])

    var lines: [Line] { all.withLock { $0 } }
    var handler: any LogHandler { Handler(log: self) }

    /// Waits for a log line.
    @discardableResult
    func line(_ what: String, where isIt: @Sendable @escaping (Line) -> Bool) async throws -> Line {
        try await awaitFact("a log line: \(what)") { [self] in lines.first(where: isIt) }
    }

    private struct Handler: LogHandler {
        let log: GatewayLog
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = metadata.merging(event.metadata ?? [:]) { _, own in own }
            log.all.withLock {
                $0.append(Line(level: event.level, message: "\(event.message)", metadata: metadata))
            }
        }
    }
}
