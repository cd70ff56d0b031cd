import Instants
import Postgres
import Store
import WaterQuality

/// The values that change faster than somebody wants, found by one claim; usually none.
struct RateLedger {
    /// A reading by which a person's value changes fast, or does so no more.
    private struct Finding {
        var key: ProbeKey
        var account: Account.ID
        var change: ValueChange?
        var limit: ChangeLimit?
        var time: Timestamp
        var lag: Duration
        var isToldOutOfRange: Bool
    }

    let policy: AlertPolicy
    private var findings: [Finding] = []
    private var ledger = ProbeLedger(kind: .rate)

    init(policy: AlertPolicy) { self.policy = policy }

    var alerts: [ProbeAlert] { ledger.alerts }

    /// Whether a crash may lose nothing of it: an episode or an alert.
    var mustBeDurable: Bool { !ledger.isEmpty }

    /// Adds a message's readings to those that the device remembers, and notes what they mean for each person who asks.
    /// - Parameters:
    ///   - lag: The constant lag of the device's clock.
    ///   - latest: The latest time that an earlier mark can rightly carry (`EventTime.latest`).
    ///   - isToldOutOfRange: Whether a watch is out of range, and its person was alerted of it.
    mutating func note(
        _ message: Claim.Message, _ device: WatchedDevice, lag: Duration, latest: Timestamp,
        isToldOutOfRange: (WatchKey) -> Bool
    ) {
        let time = message.content.time
        Parameter.forEach(in: device.paced & message.content.readings.present) { parameter in
            guard let value = message.content.readings[parameter] else { return }
            let reading = Reading(time: time, value: parameter.steps(of: value))
            guard let recent = device.remember(reading, of: parameter, latest: latest) else { return }
            let change = recent.change()
            for index in device.people.indices {
                let person = device.people[index]
                let (limit, isOpen) = (person.rules(of: parameter).changeLimit, person.isChanging(parameter))
                guard limit != nil || isOpen, person.isTheirs(at: time, lag: lag) else { continue }
                let own = person.theirsFrom.map { recent.change(since: $0 - lag) } ?? change
                let pace = limit?.pace(of: own, deadBand: policy.deadBand) ?? .slow
                guard pace == .fast || isOpen && pace == .slow else { continue }
                device.setChanging(pace == .fast, parameter, ofPersonAt: index)
                let watch = WatchKey(device: message.device, parameter: parameter, account: person.account)
                findings.append(
                    Finding(
                        key: ProbeKey(device: message.device, parameter: parameter), account: person.account,
                        change: own, limit: limit, time: time, lag: lag, isToldOutOfRange: isToldOutOfRange(watch)))
            }
        }
    }

    /// Decides what was noted, in its order.
    mutating func decide(now: Timestamp, _ transaction: PostgresTransaction) throws {
        guard !findings.isEmpty else { return }
        var watches: [ProbeKey: [Account.ID: ProbeLedger.Watch]] = [:]
        let keys = Set(findings.map(\.key))
        for row in try transaction.execute(LoadProbeEpisodes(Array(keys), kind: .rate)) {
            watches[row.key, default: [:]][row.account] = ProbeLedger.Watch(row)
        }
        for finding in findings {
            guard var watch = watches[finding.key]?[finding.account] else { continue }
            var policy = policy
            if let own = watch.throttle { policy.throttle = own }
            let decision = evaluate(
                finding.change, within: finding.limit, at: finding.time, watch.state,
                isToldOutOfRange: finding.isToldOutOfRange, now: now, lag: finding.lag, newAlert: ledger.nextAlert,
                policy: policy)
            var course: ProbeAlert.Course?
            if let change = finding.change, let limit = finding.limit { course = .init(change, limit: limit) }
            ledger.record(decision, of: &watch, at: finding.time, now: now, checkProbe: false, course: course)
            watches[finding.key]?[finding.account] = watch
        }
    }

    /// Writes episodes. Charges and alerts follow with those of ranges, in the order in which all are locked.
    func writeEpisodes(_ transaction: PostgresTransaction) throws -> ReservedNumbers {
        try ledger.writeEpisodes(transaction)
    }

    func charges(_ numbers: ReservedNumbers) -> [ChargeThrottles.Charge] { ledger.charges(numbers) }
}
