import PushTargets

extension PushTarget {
    /// The host of a stored address, for its person.
    static func shownHost(of target: String) -> String { (try? PushTarget(target))?.host ?? "" }
}
