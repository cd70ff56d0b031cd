import Instants
import Postgres
import Store
import WaterQuality

/// The faults of probes that one claim decides on, and values that stay the same; nearly always none.
struct FaultLedger {
    let policy: AlertPolicy
    private var watches: [ProbeKey: [ProbeLedger.Watch]] = [:]
    private var changed: [ProbeKey: ProbeFaultRecord] = [:]
    /// `nil` for those that are over.
    private var lines: [ProbeKey: FlatLine?] = [:]
    private var ledger = ProbeLedger(kind: .fault)

    init(policy: AlertPolicy) { self.policy = policy }

    var alerts: [ProbeAlert] { ledger.alerts }

    /// Whether a crash may lose nothing of it: an episode or an alert.
    var mustBeDurable: Bool { !ledger.isEmpty }

    /// Reads what is known of the probes that these messages are about, if there are any.
    mutating func load(_ messages: [Claim.Message], _ transaction: PostgresTransaction) throws {
        var keys = Set<ProbeKey>()
        for message in messages {
            guard let probes = message.watched?.probesInQuestion(message.content), !probes.isEmpty else { continue }
            for parameter in probes.parameters { keys.insert(ProbeKey(device: message.device, parameter: parameter)) }
        }
        guard !keys.isEmpty else { return }
        for row in try transaction.execute(LoadProbeEpisodes(Array(keys), kind: .fault)) {
            watches[row.key, default: []].append(ProbeLedger.Watch(row))
        }
    }

    /// Decides what a message says of the probes of a device, for each person whose it is.
    /// - Parameters:
    ///   - lag: The constant lag of the device's clock.
    ///   - latest: The latest time that a stored mark can rightly carry (`EventTime.latest`).
    mutating func decide(
        _ message: Claim.Message, _ device: WatchedDevice, now: Timestamp, lag: Duration, latest: Timestamp
    ) {
        let (content, time) = (message.content, message.content.time)
        for parameter in device.probesInQuestion(content).parameters {
            let value = content.readings[parameter]
            let change = ProbeFault.change(
                of: device.probeFaults[parameter], by: value == nil ? .broken : .value, at: time,
                lastEvaluated: device.watermark[parameter], latest: latest)
            let key = ProbeKey(device: message.device, parameter: parameter)
            let moment = Moment(time: time, now: now, lag: lag, latest: latest)
            switch change {
            case .none: break
            case .broken(let fault):
                note(fault, of: key, message, device)
                if fault.isProven { end(key, device, moment) }
                decide(fault, of: key, device, moment)
            case .over:
                note(nil, of: key, message, device)
                decide(nil, of: key, device, moment)
            }
            if let value, let line = device.flatLines[parameter] { follow(line, of: key, value, device, moment) }
        }
    }

    /// When something is decided.
    private struct Moment {
        var time: Timestamp
        var now: Timestamp
        var lag: Duration
        var latest: Timestamp
    }

    private mutating func note(
        _ fault: ProbeFault?, of key: ProbeKey, _ message: Claim.Message, _ device: WatchedDevice
    ) {
        guard let parameter = key.parameter else { return }
        device.setFault(fault, parameter)
        changed[key] = ProbeFaultRecord(key: key, fault: fault, receivedAt: message.receivedAt)
    }

    private mutating func decide(
        _ fault: ProbeFault?, of key: ProbeKey, _ device: WatchedDevice, _ moment: Moment
    ) {
        decide(key, device, moment) { state, policy, newAlert in
            evaluate(
                fault, at: moment.time, state, now: moment.now, lag: moment.lag, newAlert: newAlert, policy: policy)
        }
    }

    /// Goes along with a value of which a flat line is known.
    private mutating func follow(
        _ line: FlatLine, of key: ProbeKey, _ value: Float, _ device: WatchedDevice, _ moment: Moment
    ) {
        guard let parameter = key.parameter else { return }
        let thresholds = parameter.qualityThresholds
        let chosen = device.probeChosen(for: parameter, lag: moment.lag, latest: moment.latest) ?? .distantPast
        // Of another probe nothing is known.
        let change =
            chosen > line.since
            ? .lost : line.change(by: value, at: moment.time, latest: moment.latest, thresholds: thresholds)
        switch change {
        case .none: return
        case .goesOn(let line): set(line, of: key, device)
        case .moved, .lost: set(nil, of: key, device)
        }
        decide(key, device, moment) { state, policy, newAlert in
            evaluate(
                change, at: moment.time, state, lasting: thresholds.flat?.fail ?? .zero, now: moment.now,
                lag: moment.lag, newAlert: newAlert, policy: policy)
        }
    }

    /// Ends a flat line without a word: the probe says itself that it is broken.
    private mutating func end(_ key: ProbeKey, _ device: WatchedDevice, _ moment: Moment) {
        guard let parameter = key.parameter, device.flatLines[parameter] != nil else { return }
        set(nil, of: key, device)
        decide(key, device, moment) { state, policy, newAlert in
            evaluate(
                .lost, at: moment.time, state, lasting: .zero, now: moment.now, newAlert: newAlert, policy: policy)
        }
    }

    private mutating func set(_ line: FlatLine?, of key: ProbeKey, _ device: WatchedDevice) {
        guard let parameter = key.parameter else { return }
        device.setFlatLine(line, parameter)
        lines[key] = .some(line)
    }

    /// Decides for each person whose the device is.
    private mutating func decide(
        _ key: ProbeKey, _ device: WatchedDevice, _ moment: Moment,
        _ evaluate: (ProbeState, AlertPolicy, Alert.Reference) -> ProbeDecision
    ) {
        guard let people = watches[key]?.indices else { return }
        for index in people {
            guard var watch = watches[key]?[index], let person = device.index(of: watch.account),
                device.people[person].isTheirs(at: moment.time, lag: moment.lag)
            else { continue }
            var policy = policy
            if let own = watch.throttle { policy.throttle = own }
            let decision = evaluate(watch.state, policy, ledger.nextAlert)
            ledger.record(decision, of: &watch, at: moment.time, now: moment.now, checkProbe: true)
            watches[key]?[index] = watch
        }
    }

    /// Writes faults and episodes. Charges and alerts follow with those of ranges, in the order in which all are locked.
    func writeEpisodes(_ transaction: PostgresTransaction) throws -> ReservedNumbers {
        if !changed.isEmpty { try transaction.perform(WriteProbeFaults(Array(changed.values))) }
        if !lines.isEmpty { try transaction.perform(WriteFlatLines(lines.map { ($0.key, $0.value) })) }
        return try ledger.writeEpisodes(transaction)
    }

    func charges(_ numbers: ReservedNumbers) -> [ChargeThrottles.Charge] { ledger.charges(numbers) }
}
