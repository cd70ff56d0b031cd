import Instants
import Store
import WaterQuality

/// Somebody who owns or watches a device, with the rules that hold for them alone.
struct Person: Sendable {
    let account: Account.ID
    /// For an owner the end of the previous ownership, if there was one, and for a watcher the time of joining. Earlier
    /// readings are not theirs, though a watcher may see some of them.
    let theirsFrom: Timestamp?
    /// The person's own throttle interval, if they set one.
    let throttle: Duration?
    /// The ends of the ranges, side by side: of the numbers that a range has, an engine remembers no other for everybody.
    private var lower = PerParameter<Int32>(repeating: .min)
    private var upper = PerParameter<Int32>(repeating: .max)
    /// The parameters that have a range, one bit each.
    private var ranged: UInt32 = 0
    /// What they ask beside their ranges; empty for most people, who ask nothing.
    private var rules: [Parameter: WatchRules] = [:]
    /// The limits that change by the clock; empty for most people, who have none.
    private var timed: [Parameter: TimedLimits] = [:]
    /// The parameters of which they want to be told once that they are unstable, one bit each (`Parameter.bit`).
    private(set) var toldUnstable: UInt32 = 0
    /// The parameters with an open episode, one bit each.
    private(set) var openEpisodes: UInt32 = 0
    /// The parameters that may have an open episode of a kind that follows from a course, one bit each, by kind.
    private var openCourses: [Alert.Kind: UInt32] = [:]

    init(account: Account.ID, theirsFrom: Timestamp? = nil, throttle: Duration? = nil) {
        self.account = account
        self.theirsFrom = theirsFrom
        self.throttle = throttle
    }

    /// Their plain range for a parameter; `nil` when no limit is set.
    subscript(range parameter: Parameter) -> SafeRange? {
        get {
            guard ranged & parameter.bit != 0 else { return nil }
            let (lower, upper) = (lower[Int(parameter.rawValue)], upper[Int(parameter.rawValue)])
            return try? SafeRange(
                parameter, minimum: lower == .min ? nil : Steps(lower), maximum: upper == .max ? nil : Steps(upper))
        }
        set {
            lower[Int(parameter.rawValue)] = newValue?.minimum?.count ?? .min
            upper[Int(parameter.rawValue)] = newValue?.maximum?.count ?? .max
            if newValue == nil { ranged &= ~parameter.bit } else { ranged |= parameter.bit }
        }
    }

    /// What they ask of a parameter beside its range.
    func rules(of parameter: Parameter) -> WatchRules { rules.isEmpty ? .none : rules[parameter] ?? .none }

    mutating func set(_ rules: WatchRules, for parameter: Parameter) {
        self.rules[parameter] = rules == .none ? nil : rules
        if rules.tellsUnstable { toldUnstable |= parameter.bit } else { toldUnstable &= ~parameter.bit }
    }

    /// Their range for what was measured at a time, by a correct clock, with what they ask beside it; no range where no limit is set.
    func held(
        _ parameter: Parameter, at time: Timestamp
    ) -> (range: SafeRange?, rules: WatchRules, time: LimitPeriod.Time?) {
        guard !timed.isEmpty, let held = timed[parameter]?[time] else {
            return (self[range: parameter], rules(of: parameter), nil)
        }
        return (held.range, held.rules, held.time)
    }

    mutating func set(_ limits: TimedLimits, for parameter: Parameter) { timed[parameter] = limits }

    /// Whether a message of this time belongs to them.
    /// - Parameter lag: The constant lag of the device's clock.
    func isTheirs(at time: Timestamp, lag: Duration) -> Bool {
        guard let theirsFrom else { return true }
        return (lag == .zero ? time : time + lag) >= theirsFrom
    }

    /// Whether a parameter may have an open episode of a kind that follows from a course.
    func hasOpenCourse(_ kind: Alert.Kind, of parameter: Parameter) -> Bool {
        openCourses.isEmpty ? false : openCourses[kind, default: 0] & parameter.bit != 0
    }

    mutating func setOpenCourse(_ isOpen: Bool, _ kind: Alert.Kind, of parameter: Parameter) {
        if isOpen {
            openCourses[kind, default: 0] |= parameter.bit
        } else if openCourses[kind] != nil {
            openCourses[kind, default: 0] &= ~parameter.bit
        }
    }

    /// An operator's policy with their own throttle.
    func policy(_ policy: AlertPolicy) -> AlertPolicy {
        guard let throttle else { return policy }
        var own = policy
        own.throttle = throttle
        return own
    }

    /// Notes whether a parameter has an open episode.
    mutating func setOpen(_ isOpen: Bool, _ parameter: Parameter) {
        if isOpen { openEpisodes |= parameter.bit } else { openEpisodes &= ~parameter.bit }
    }
}
