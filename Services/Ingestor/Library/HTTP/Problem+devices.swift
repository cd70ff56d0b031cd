import Backoff
import HTTPTypes
import Postgres
import PublicHTTP
import Routes

extension Problem {
    /// The problem that a device is told for an error; it reveals nothing of the service's inside.
    init(ofDevice error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        // The connection has already answered.
        case is ConnectionGuard.Refused: self = .comeAgain
        case is Intake.Refusal, is TimeoutError, is CancellationError: self = .comeAgain
        case RunningRequests.Refusal.tooManyOfDevice: self.init(.tooManyRequests, retryAfter: .seconds(1))
        case is RunningRequests.Refusal: self = .comeAgain
        case let error as PostgresError where error.isRetriable || error.code == .closed: self = .comeAgain
        default: self.init(.internalError)
        }
    }

    /// Nothing is lost: the device still has its readings.
    static let comeAgain = Problem(.unavailable, retryAfter: .seconds(5))

    static let keyRefused = Problem(.deviceKeyRefused, headers: [.wwwAuthenticate: "Bearer"])
}

extension ProblemType {
    static let nothingStored = ProblemType("nothing-stored", .unprocessableContent)
    static let deviceKeyRefused = ProblemType("device-key-refused", .unauthorized)
}
