import Instants
import Postgres
import Store
import WaterQuality

/// The faults of probes that one claim decides on; nearly always none.
struct FaultLedger {
    let policy: AlertPolicy
    private var watches: [ProbeKey: [ProbeLedger.Watch]] = [:]
    private var changed: [ProbeKey: ProbeFaultRecord] = [:]
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
            let word: ProbeFault.Word = content.readings.present & parameter.bit == 0 ? .broken : .value
            let change = ProbeFault.change(
                of: device.probeFaults[parameter], by: word, at: time, lastEvaluated: device.watermark[parameter],
                latest: latest)
            let fault: ProbeFault?
            switch change {
            case .none: continue
            case .broken(let found): fault = found
            case .over: fault = nil
            }
            device.setFault(fault, parameter)
            let key = ProbeKey(device: message.device, parameter: parameter)
            changed[key] = ProbeFaultRecord(key: key, fault: fault, receivedAt: message.receivedAt)
            decide(fault, of: key, device, at: time, now: now, lag: lag)
        }
    }

    private mutating func decide(
        _ fault: ProbeFault?, of key: ProbeKey, _ device: WatchedDevice, at time: Timestamp, now: Timestamp,
        lag: Duration
    ) {
        guard let people = watches[key]?.indices else { return }
        for index in people {
            guard var watch = watches[key]?[index], let person = device.index(of: watch.account),
                device.people[person].isTheirs(at: time, lag: lag)
            else { continue }
            var policy = policy
            if let own = watch.throttle { policy.throttle = own }
            let decision = evaluate(
                fault, at: time, watch.state, now: now, lag: lag, newAlert: ledger.nextAlert, policy: policy)
            ledger.record(decision, of: &watch, at: time, now: now, checkProbe: true)
            watches[key]?[index] = watch
        }
    }

    /// Writes faults and episodes. Charges and alerts follow with those of ranges, in the order in which all are locked.
    func writeEpisodes(_ transaction: PostgresTransaction) throws -> ReservedNumbers {
        if !changed.isEmpty { try transaction.perform(WriteProbeFaults(Array(changed.values))) }
        return try ledger.writeEpisodes(transaction)
    }

    func charges(_ numbers: ReservedNumbers) -> [ChargeThrottles.Charge] { ledger.charges(numbers) }
}
