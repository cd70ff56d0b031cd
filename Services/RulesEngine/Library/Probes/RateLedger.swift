import Instants
import Postgres
import Store
import WaterQuality

/// The values that change faster than somebody wants, found by one claim; usually none.
struct RateLedger {
    private typealias Finding = CourseFinding<(change: ValueChange?, limit: ChangeLimit?)>

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
                let start = device.start(ofCourse: parameter, for: person, lag: lag, latest: latest)
                let own = start.map { recent.change(since: $0) } ?? change
                let pace = limit?.pace(of: own, deadBand: policy.deadBand) ?? .slow
                guard pace == .fast || isOpen && pace == .slow else { continue }
                device.setChanging(pace == .fast, parameter, ofPersonAt: index)
                let watch = WatchKey(device: message.device, parameter: parameter, account: person.account)
                findings.append(
                    Finding(
                        key: ProbeKey(device: message.device, parameter: parameter), account: person.account,
                        course: (own, limit), time: time, lag: lag, isToldOutOfRange: isToldOutOfRange(watch)))
            }
        }
    }

    /// Decides what was noted, in its order.
    mutating func decide(now: Timestamp, _ transaction: PostgresTransaction) throws {
        try ledger.decide(findings, now: now, policy: policy, transaction) { finding, state, policy, newAlert in
            let (change, limit) = finding.course
            let decision = evaluate(
                change, within: limit, at: finding.time, state, isToldOutOfRange: finding.isToldOutOfRange, now: now,
                lag: finding.lag, newAlert: newAlert, policy: policy)
            guard let change, let limit else { return (decision, nil, nil) }
            return (decision, .init(change, limit: limit), nil)
        }
    }

    /// Writes episodes. Charges and alerts follow with those of ranges, in the order in which all are locked.
    func writeEpisodes(_ transaction: PostgresTransaction) throws -> ReservedNumbers {
        try ledger.writeEpisodes(transaction)
    }

    func charges(_ numbers: ReservedNumbers) -> [ChargeThrottles.Charge] { ledger.charges(numbers) }
}
