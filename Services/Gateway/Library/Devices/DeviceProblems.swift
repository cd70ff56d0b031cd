import HTTPTypes
import Routes

extension ProblemType {
    static let claimCodeUnknown = ProblemType("claim-code-unknown", .notFound)
    static let deviceTaken = ProblemType("device-taken", .conflict)
    static let deviceAlreadyYours = ProblemType("device-already-yours", .conflict)
    static let ownerOnly = ProblemType("owner-only", .forbidden)
}
