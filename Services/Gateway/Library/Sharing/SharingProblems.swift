import HTTPTypes
import Routes

extension ProblemType {
    static let invitationUnknown = ProblemType("invitation-unknown", .notFound)
    static let invitationUsed = ProblemType("invitation-used", .conflict)
    static let invitationExpired = ProblemType("invitation-expired", .gone)
    static let alreadyWatching = ProblemType("already-watching", .conflict)
    static let tooManyWatchers = ProblemType("too-many-watchers", .conflict)
    static let tooManyInvitations = ProblemType("too-many-invitations", .conflict)
}
