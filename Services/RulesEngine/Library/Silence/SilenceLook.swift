import Instants
import Store
import WaterQuality

/// What a look at a device finds: whether it is heard, and which of its parameters are missing. Pure.
struct SilenceLook {
    /// How soon what is silent is looked at again: soon, when it may only have been switched off for a moment.
    private static let soon = Duration.seconds(15)
    private static let later = Duration.seconds(60)
    private static let isShort = Duration.seconds(15 * 60)
    /// How soon a device is looked at again whose rhythm is not known.
    private static let unknown = Duration.seconds(5 * 60)
    /// How soon a device is looked at again at the earliest.
    private static let atOnce = Duration.seconds(5)
    /// So many readings have to come without a parameter: the first ones after a start may lack it.
    private static let leastMissing = 3

    /// What is silent, or was until now, and so concerns its people.
    struct Finding: Hashable, Sendable {
        var hearing: Hearing
        /// The receipt of what was heard last.
        var heardAt: Timestamp?
        /// Whether it is the probe that should be looked at.
        var checkProbe: Bool
    }

    private let row: TakeSilenceChecks.Row
    private let listeningSince: Timestamp
    private let now: Timestamp
    private let policy: AlertPolicy
    /// The parameters that the device is known to send.
    private(set) var expected: ParameterSet
    private(set) var findings: [ProbeKey: Finding] = [:]
    /// When something can be found at the earliest.
    private var due: Timestamp?

    /// - Parameter listeningSince: Since when we have listened without a break.
    init(_ row: TakeSilenceChecks.Row, listeningSince: Timestamp, now: Timestamp, policy: AlertPolicy) {
        self.row = row
        self.listeningSince = listeningSince
        self.now = now
        self.policy = policy
        expected = row.expected.union(row.lately)
        let hearing = hear(row.heardAt, row.usualMicroseconds, since: listeningSince)
        guard hearing == .silent || row.hasOpenSilence else { return }
        note(Finding(hearing: hearing, heardAt: row.heardAt, checkProbe: row.isConnected), of: nil)
    }

    /// When to look again.
    var dueAt: Timestamp { max(due ?? now + Self.unknown, now + Self.atOnce) }

    /// The parameters that may be missing. A device that is not heard itself misses none. What is computed from others is not
    /// missed beside them, nor where the water is beyond its formula. A probe that says that it is broken is told as such, and
    /// not missed as well.
    var suspects: [ProbeKey] {
        if findings[ProbeKey(device: row.device)]?.hearing == .silent { return [] }
        let missing = expected.subtracting(row.lately).subtracting(expected.derivable).subtracting(row.brokenProbes)
        return missing.union(row.openParameters).parameters.map { ProbeKey(device: row.device, parameter: $0) }
    }

    /// Judges a suspect.
    mutating func judge(_ parameter: Parameter, _ rhythm: ReadParameterRhythms.Row) {
        let isOpen = row.openParameters.contains(ParameterSet(parameter))
        // While the device was away as a whole, the parameter was not missing.
        let since = max(listeningSince, rhythm.missingSince ?? listeningSince)
        var hearing = hear(rhythm.heardAt, rhythm.usualMicroseconds, since: since)
        switch hearing {
        case .unknown:
            // It comes too seldom to be missed, unless it is missed already.
            expected.remove(ParameterSet(parameter))
            if isOpen { hearing = .silent }
        case .silent where rhythm.missing < Self.leastMissing && !isOpen:
            hearing = .heard
            lookAgain(at: now + Self.soon)
        case .silent, .heard: break
        }
        guard hearing == .silent || isOpen else { return }
        note(Finding(hearing: hearing, heardAt: rhythm.heardAt, checkProbe: true), of: parameter)
    }

    private mutating func hear(
        _ heardAt: Timestamp?, _ usualMicroseconds: Int64?, since: Timestamp
    ) -> Hearing {
        guard let heardAt, let usual = usualMicroseconds.map({ Duration.microseconds($0) }) else { return .unknown }
        let hearing = Hearing.judge(heardAt: heardAt, usual: usual, listeningSince: since, now: now, policy: policy)
        if hearing == .heard {
            let due = Hearing.due(heardAt: heardAt, usual: usual, listeningSince: since, policy: policy)
            // A clock that was ahead may have stored a time that is long in coming.
            lookAgain(at: min(due, now + Hearing.allowance(usual: usual, policy: policy)))
        }
        return hearing
    }

    private mutating func note(_ finding: Finding, of parameter: Parameter?) {
        findings[ProbeKey(device: row.device, parameter: parameter)] = finding
        let silentFor = finding.heardAt.map { now - $0 } ?? Self.isShort
        lookAgain(at: now + (silentFor < Self.isShort ? Self.soon : Self.later))
    }

    private mutating func lookAgain(at time: Timestamp) { due = min(due ?? time, time) }
}
