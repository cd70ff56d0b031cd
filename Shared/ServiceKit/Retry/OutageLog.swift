package import Logging
import Synchronization

/// Logs an outage once per change: its beginning, a new cause, its end.
///
/// A server that is away for an hour makes two lines instead of thousands.
package final class OutageLog: Sendable {
    private let logger: Logger
    private let subject: String
    private let lastCause = Mutex<String?>(nil)

    /// - Parameter subject: The thing that fails and recovers, such as "database connection".
    package init(subject: String, logger: Logger) {
        self.subject = subject
        self.logger = logger
    }

    package func failed(_ error: any Error) {
        failed(because: "\(error)")
    }

    /// Logs a warning unless the last failure had the same cause.
    package func failed(because cause: String) {
        let isNews = lastCause.withLock { last in
            defer { last = cause }
            return last != cause
        }
        if isNews { logger.warning("Failed and is tried again", [.name: "\(subject)", .error: "\(cause)"]) }
    }

    /// Logs the recovery after a failure.
    package func succeeded() {
        guard lastCause.withLock({ $0.take() }) != nil else { return }
        logger.info("Works again", [.name: "\(subject)"])
    }
}
