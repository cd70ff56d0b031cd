import HTTPTypes
import Routes

extension ProblemType {
    /// There are not as many readings as the person has seen.
    static let readingsChanged = ProblemType("readings-changed", .conflict)
    static let periodApproved = ProblemType("period-approved", .conflict)
    static let tooManyReadings = ProblemType("too-many-readings", .unprocessableContent)
}

extension Fault {
    static let deletionTooLong = Fault("deletion-too-long")
    static let readingsNotKept = Fault("readings-not-kept")
    static let notWholeHours = Fault("not-whole-hours")
    static let periodNotOver = Fault("period-not-over")
    static let beforeTheTank = Fault("before-the-tank")
    static let approvalTooLong = Fault("approval-too-long")
}
