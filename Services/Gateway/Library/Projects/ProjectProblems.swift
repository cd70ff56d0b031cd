import HTTPTypes
import Routes

extension ProblemType {
    static let ownersOnly = ProblemType("owners-only", .forbidden)
    static let viewersOnlyLook = ProblemType("viewers-only-look", .forbidden)
    static let lastOwner = ProblemType("last-owner", .conflict)
    static let deviceOfProject = ProblemType("device-of-project", .conflict)
    static let notOfProject = ProblemType("not-of-project", .conflict)
    static let alreadyMember = ProblemType("already-member", .conflict)
    static let tooManyProjects = ProblemType("too-many-projects", .conflict)
    static let tooManyMembers = ProblemType("too-many-members", .conflict)
    static let tooManyDevices = ProblemType("too-many-devices", .conflict)
    static let tooManyCovers = ProblemType("too-many-covers", .conflict)
    static let projectTooLarge = ProblemType("project-too-large", .conflict)
}

extension Fault {
    static let notOwnDevice = Fault("not-own-device")
}
