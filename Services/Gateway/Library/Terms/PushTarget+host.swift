import PushTargets

extension PushTarget {
    /// The host of a stored address, for its person; of a mailbox its first letter and its domain.
    static func shownHost(of target: String) -> String {
        if target.hasPrefix("mailto:") { return String(target.dropFirst("mailto:".count).prefix { $0 != "/" }) }
        return (try? PushTarget(target))?.host ?? ""
    }
}
