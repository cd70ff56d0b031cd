import HTTPTypes
import Logging
import Postgres
import ServiceKit

/// One line of the access log.
struct Record: Sendable {
    let exchange: Exchange
    let route: String
    let status: Int
    let began: ContinuousClock.Instant

    /// Logs that an answer has ended. The path is left out: it may hold what a person typed, and the route says enough.
    /// - Parameter failure: The error that broke a streamed answer off.
    func log(brokenBy failure: (any Error)?, _ logger: Logger) {
        var metadata = facts
        if let failure { metadata[.reason] = "\(type(of: failure))" }
        logger.log(.info, "Answered", metadata)
    }

    /// Logs an error that the client can do nothing about. Database errors are safe to log; of others only the type is
    /// logged, because they may quote anything.
    func log(_ failure: any Error, _ logger: Logger) {
        var metadata = facts
        if let error = failure as? PostgresError {
            metadata[.error] = "\(error) at \(error.file):\(error.line)"
        } else {
            metadata[.error] = "\(type(of: failure))"
        }
        logger.log(.error, "A request failed", metadata)
    }

    private var facts: [LogKey: Logger.MetadataValue] {
        [
            .requestID: "\(exchange.id)", .method: "\(exchange.request.method.rawValue)", .route: "\(route)",
            .statusCode: "\(status)",
            .durationMilliseconds: .stringConvertible(began.duration(to: .now) / .milliseconds(1)),
        ]
    }
}
