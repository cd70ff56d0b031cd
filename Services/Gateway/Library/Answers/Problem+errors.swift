import Backoff
import HTTPTypes
import NIOCore
import NIOHTTP1
import Postgres
import PublicHTTP
import Routes
import Words

extension Problem {
    /// The problem that a person is told for an error; it reveals nothing of the service's inside.
    init(of error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case is NIOTooManyBytesError: self.init(.tooLarge)
        // The connection has already answered; these words are for the log.
        case is ConnectionGuard.Refused: self.init(.requestTooSlow)
        case is HTTPParserError: self.init(.malformedRequest)
        case let error as PostgresError where error.sqlState == Self.boundReached:
            self.init(.tooManyRequests, retryAfter: .seconds(3600))
        case let error as PostgresError where error.sqlState == Self.isFull: self.init(.noRoom)
        case let error as PostgresError where error.sqlState == Self.photosFull: self.init(.photosFull)
        case let error as PostgresError where error.isRetriable || error.code == .closed: self = .pause
        case is TimeoutError, is CancellationError: self = .pause
        default: self.init(.internalError)
        }
    }

    func answer(_ language: Language, id: String) -> RawAnswer {
        RawAnswer(
            status: type.status, headers: fields(language), body: .bytes(json(language, requestID: id).bytes))
    }

    /// SQLSTATE of a row beyond a day's bound of `growth_bound`.
    private static let boundReached = "AQ001"

    /// SQLSTATE of a row beyond the bound in all, which no waiting helps.
    private static let isFull = "AQ003"

    /// SQLSTATE of a photo for which there is no room.
    private static let photosFull = "AQ002"

    /// A passing fault: the database is away, or everything takes too long.
    static let pause = Problem(.unavailable, retryAfter: .seconds(2))
}

extension ProblemType {
    static let idempotencyInProgress = ProblemType("idempotency-in-progress", .conflict)
    static let idempotencyKeyReused = ProblemType("idempotency-key-reused", .unprocessableContent)
    static let crossOrigin = ProblemType("cross-origin", .forbidden)
    static let requestTooSlow = ProblemType("request-too-slow", .requestTimeout)
    static let malformedRequest = ProblemType("malformed-request", .badRequest)
    static let noRoom = ProblemType("no-room", .conflict)
    static let photosFull = ProblemType("photos-full", .conflict)
    static let tooManyConnections = ProblemType("too-many-connections", .serviceUnavailable)

    /// Problems that the shell itself answers with, besides the generic ones.
    static let ofShell: [ProblemType] = [
        .idempotencyInProgress, .idempotencyKeyReused, .crossOrigin, .requestTooSlow, .malformedRequest, .noRoom,
        .tooManyConnections,
    ]

    /// Problems of routes that are not in the API's document.
    static let ofOutside: [ProblemType] = [.sensorThingsQuery, .sensorThingsUnsupported]
}
