/// A member's role in a project. The raw values are stored.
package enum ProjectRole: String, CaseIterable, Sendable {
    /// Hands the project over, makes and removes administrators, and dissolves it.
    case owner
    /// Acts as the project: links its devices, sets its limits, invites keepers and viewers.
    case administrator
    /// Answers alarms, cares for the water, and has limits of their own.
    case keeper
    /// Looks.
    case viewer
}
