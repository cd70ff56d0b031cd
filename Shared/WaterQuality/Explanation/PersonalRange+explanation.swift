extension PersonalRange {
    var isUnlimited: Bool { minimum == nil && maximum == nil }

    /// `nil` where the limits do not hold up, which no stored ones do.
    func rules(_ policy: AlertPolicy) -> WatchReplay.Rules? {
        guard let range = try? SafeRange(parameter, minimum: minimum, maximum: maximum), let rules = try? rules else {
            return nil
        }
        return WatchReplay.Rules(range, rules: rules, policy: policy)
    }

    /// Whether both ask the same, whatever unit they are shown in.
    func asksTheSame(as other: PersonalRange) -> Bool {
        var other = other
        other.unit = unit
        return other == self
    }
}
