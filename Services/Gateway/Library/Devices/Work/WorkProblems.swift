import HTTPTypes
import Routes

extension ProblemType {
    /// Somebody else began it, and the person does not own the device.
    static let workOfAnother = ProblemType("work-of-another", .forbidden)
    static let workOver = ProblemType("work-over", .conflict)
    static let workTooLong = ProblemType("work-too-long", .unprocessableContent)
    static let tooMuchWork = ProblemType("too-much-work", .conflict)
}

extension Fault {
    static let workTooLongAgo = Fault("work-too-long-ago")
    static let workToCome = Fault("work-to-come")
    static let workUntilOrMinutes = Fault("until-or-minutes")
}
