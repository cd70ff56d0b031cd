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
    /// How soon any device is looked at again: what comes meanwhile is learnt, and one that is quick again may fall silent sooner.
    private static let latest = Duration.seconds(15 * 60)
    /// How soon a device is looked at again at the earliest.
    private static let atOnce = Duration.seconds(5)
    /// So many readings have to come without a parameter: the first ones after a start may lack it.
    private static let leastMissing = 3
    /// So often it has to have come before: who holds a meter into the water for some minutes is not asked where it is.
    private static let leastReadings = 17

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
    /// The parameters that the device is known to send, and those that came lately.
    private(set) var expected: ParameterSet
    private let lately: ParameterSet
    /// How the device and its parameters pause.
    private(set) var rhythms: [Parameter?: Rhythm]
    private(set) var findings: [ProbeKey: Finding] = [:]
    /// When something can be found at the earliest.
    private var due: Timestamp?

    /// - Parameter listeningSince: Since when we have listened without a break. Work on the water counts as one: who unplugs a device for it is
    ///   asked for nothing, and it has all of its time afterwards.
    init(_ row: TakeSilenceChecks.Row, listeningSince: Timestamp, now: Timestamp, policy: AlertPolicy) {
        self.row = row
        let listeningSince = max(listeningSince, row.workedUntil ?? listeningSince)
        self.listeningSince = listeningSince
        self.now = now
        self.policy = policy
        rhythms = row.rhythms
        expected = row.expected.union(row.lately)
        let isReplaced = row.anotherProbeAt.map { $0 > row.heard?.last ?? $0 } ?? false
        // The last reading, however old, has the temperature that does not come any more.
        lately = isReplaced ? row.lately.subtracting(ParameterSet(.temperature)) : row.lately
        learn(row.heard, of: nil)
        // What was heard before the last eight days is remembered.
        let heardAt = [row.heard?.last ?? rhythms[nil]?.until, row.probeHeardAt].compactMap(\.self).max()
        let allowance = allowance(of: nil, after: heardAt)
        let hearing = hear(heardAt, allowance?.length, since: listeningSince)
        if hearing == .heard, allowance?.isKnown == false { lookAgain(at: now + Self.unknown) }
        guard hearing == .silent || row.hasOpenSilence else { return }
        note(Finding(hearing: hearing, heardAt: heardAt, checkProbe: row.isConnected), of: nil)
    }

    /// When to look again.
    var dueAt: Timestamp { max(due ?? now + Self.unknown, now + Self.atOnce) }

    /// What is to be kept of the look.
    var check: SilenceCheck {
        SilenceCheck(
            device: row.device, dueAt: dueAt, expected: expected,
            rhythms: rhythms.filter { $0.key.map { expected.contains(ParameterSet($0)) } ?? true })
    }

    /// The parameters that may be missing. A device that is not heard itself misses none. What is computed from others is not
    /// missed beside them, nor where the water is beyond its formula. A probe that says that it is broken is told as such, and
    /// not missed as well.
    var suspects: [(key: ProbeKey, learntUntil: Timestamp?)] {
        if findings[ProbeKey(device: row.device)]?.hearing == .silent { return [] }
        let missing = expected.subtracting(lately).subtracting(expected.derivable).subtracting(row.brokenProbes)
        return missing.union(row.openParameters).parameters.map {
            (ProbeKey(device: row.device, parameter: $0), rhythms[$0]?.until)
        }
    }

    /// Judges a suspect.
    mutating func judge(_ parameter: Parameter, _ found: ReadParameterPauses.Row) {
        let isOpen = row.openParameters.contains(ParameterSet(parameter))
        let heardAt = found.heard?.last
        let isReplaced = parameter == .temperature && row.anotherProbeAt.map { $0 > heardAt ?? $0 } ?? false
        learn(found.heard, of: parameter)
        let isKnown = isReplaced || found.heard?.readings ?? 0 >= Self.leastReadings
        // While the device was away as a whole, the parameter was not missing.
        let since = max(listeningSince, found.missingSince ?? listeningSince)
        var hearing = hear(heardAt, isKnown ? allowance(of: parameter, after: heardAt)?.length : nil, since: since)
        switch hearing {
        case .unknown:
            // It comes too seldom to be missed, unless it is missed already.
            expected.remove(ParameterSet(parameter))
            if isOpen { hearing = .silent }
        case .silent where found.missing < Self.leastMissing && !isOpen && !isReplaced:
            hearing = .heard
            lookAgain(at: now + Self.soon)
        case .silent, .heard: break
        }
        guard hearing == .silent || isOpen else { return }
        note(Finding(hearing: hearing, heardAt: heardAt, checkProbe: !isReplaced), of: parameter)
    }

    private mutating func learn(_ finding: Rhythm.Finding?, of parameter: Parameter?) {
        guard let finding else { return }
        if rhythms[parameter] == nil { rhythms[parameter] = Rhythm(finding) }
        rhythms[parameter]?.learn(finding, listeningSince: listeningSince)
    }

    private func allowance(of parameter: Parameter?, after heardAt: Timestamp?) -> (length: Duration, isKnown: Bool)? {
        guard let heardAt, let rhythm = rhythms[parameter] else { return nil }
        return rhythm.allowance(after: heardAt, policy)
    }

    private mutating func hear(_ heardAt: Timestamp?, _ allowance: Duration?, since: Timestamp) -> Hearing {
        guard let heardAt, let allowance else { return .unknown }
        let hearing = Hearing.judge(heardAt: heardAt, allowance: allowance, listeningSince: since, now: now)
        if hearing == .heard {
            let due = Hearing.due(heardAt: heardAt, allowance: allowance, listeningSince: since)
            // A clock that was ahead may have stored a time that is long in coming.
            lookAgain(at: min(due, now + min(allowance, max(Self.latest, policy.silenceAfter))))
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
