import HTTPTypes
import People
import Routes
import WaterQuality

extension ProblemType {
    /// One problem for an address without an account and for a wrong password.
    static let wrongCredentials = ProblemType("wrong-credentials", .unauthorized)
    static let sessionEnded = ProblemType("session-ended", .unauthorized)
    /// Not 401: the session goes on.
    static let wrongPassword = ProblemType("wrong-password", .forbidden)
    /// The house takes no passwords: people sign in by its provider.
    static let passwordsOff = ProblemType("passwords-off", .forbidden)
    static let signUpClosed = ProblemType("sign-up-closed", .forbidden)
    static let invitationNotValid = ProblemType("invitation-not-valid", .forbidden)
    static let resetExpired = ProblemType("reset-expired", .unprocessableContent)
    /// The asking session was opened by an identity that the session to be undone has linked.
    static let sessionFollows = ProblemType("session-follows", .conflict)
    static let tooManyTokens = ProblemType("too-many-tokens", .conflict)
}

extension Problem {
    static var wrongCredentials: Problem { Problem(.wrongCredentials, headers: [.wwwAuthenticate: "Bearer"]) }
}

extension Fault {
    static let notEmailAddress = Fault("not-email-address")
    static let notFuture = Fault("not-future")
    static let oneLine = Fault("not-one-line")
    static let unknownTimeZone = Fault("unknown-time-zone")

    init(_ fault: PasswordFault) {
        self.init(fault.rawValue, parameters: fault.bounds.map { .init($0.name, .integer(Int64($0.value))) })
    }
}
