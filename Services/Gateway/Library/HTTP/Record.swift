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

    /// When the answer has ended. The path is not told: it may hold what a person typed, and the route says enough.
    /// - Parameter failure: What broke a streamed answer off.
    func log(brokenBy failure: (any Error)?, _ logger: Logger) {
        var metadata = facts
        if let failure { metadata[.reason] = "\(type(of: failure))" }
        logger.log(.info, "Answered", metadata)
    }

    /// An error that the client can do nothing about. What the database's errors say is safe; of others only the type is
    /// told, for nobody knows what they quote.
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
