/// The part that a project's shifts give a person in telling of one of its devices.
package enum ShiftDuty: Hashable, Sendable {
    /// On shift: quiet hours hold nothing back.
    case on
    /// Off shift, while somebody is on whom something reaches.
    /// - Parameter unwatched: Parameters that nobody of those watches as closely as the project does.
    case off(unwatched: Set<Parameter>)

    /// Whether alerts are left to those on shift, critical ones among them.
    /// - Parameter parameter: `nil` for a whole device.
    package func leaves(_ parameter: Parameter?) -> Bool {
        guard case .off(let unwatched) = self else { return false }
        return parameter.map { !unwatched.contains($0) } ?? true
    }

    /// Whether a gathering still holds alerts back for a digest.
    package func heeds(_ gathering: Gathering) -> Bool { self != .on || gathering.reason != .quietHours }
}
