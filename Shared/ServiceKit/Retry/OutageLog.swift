package import Logging

/// Tells an outage once per change: when it begins, when its cause changes, when it is over.
///
/// A server that is away for an hour makes two lines instead of thousands.
package struct OutageLog: Sendable {
    private let logger: Logger
    private let subject: String
    private var lastCause: String?

    /// - Parameter subject: What fails and recovers, such as "database connection".
    package init(subject: String, logger: Logger) {
        self.subject = subject
        self.logger = logger
    }

    /// Logs a warning unless the last failure had the same cause.
    package mutating func failed(_ error: any Error) {
        let cause = "\(error)"
        guard cause != lastCause else { return }
        lastCause = cause
        logger.warning("Failed and is tried again", [.name: "\(subject)", .error: "\(cause)"])
    }

    /// Logs that it works again, if it failed before.
    package mutating func succeeded() {
        guard lastCause != nil else { return }
        lastCause = nil
        logger.info("Works again", [.name: "\(subject)"])
    }
}
