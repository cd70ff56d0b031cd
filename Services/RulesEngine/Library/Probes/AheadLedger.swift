import Instants
import Postgres
import Store
import WaterQuality

/// The values that are on the way to a limit of somebody who wants to be told ahead, found by one claim; usually none.
struct AheadLedger {
    private typealias Finding = CourseFinding<Outlook.Heading>

    let policy: AlertPolicy
    private var findings: [Finding] = []
    private var ledger = ProbeLedger(kind: .ahead)

    init(policy: AlertPolicy) { self.policy = policy }

    var alerts: [ProbeAlert] { ledger.alerts }

    var mustBeDurable: Bool { !ledger.isEmpty }

    mutating func note(
        _ message: Claim.Message, _ device: WatchedDevice, lag: Duration, latest: Timestamp,
        isToldOutOfRange: (WatchKey) -> Bool
    ) {
        let time = message.content.time
        Parameter.forEach(in: device.foretold & message.content.readings.present) { parameter in
            guard let value = message.content.readings[parameter] else { return }
            let reading = Reading(time: time, value: parameter.steps(of: value))
            guard let trend = device.follow(reading, of: parameter, latest: latest) else { return }
            let line = trend.line()
            for index in device.people.indices {
                let person = device.people[index]
                let (ahead, isOpen) = (person.rules(of: parameter).ahead, person.isHeading(parameter))
                guard ahead != nil || isOpen, person.isTheirs(at: time, lag: lag) else { continue }
                var own = line
                let start = device.start(ofCourse: parameter, for: person, lag: lag, latest: latest)
                if let start, !trend.isWhole(since: start) {
                    own = trend.line(since: start)
                }
                var heading = Outlook.Heading.moot
                if let ahead, let range = person[range: parameter], let own {
                    heading = own.heading(in: range, within: ahead)
                }
                guard heading.isToward || isOpen && heading != .near else { continue }
                device.setHeading(heading.isToward, parameter, ofPersonAt: index)
                let watch = WatchKey(device: message.device, parameter: parameter, account: person.account)
                findings.append(
                    Finding(
                        key: ProbeKey(device: message.device, parameter: parameter), account: person.account,
                        course: heading, time: time, lag: lag, isToldOutOfRange: isToldOutOfRange(watch)))
            }
        }
    }

    mutating func decide(now: Timestamp, _ transaction: PostgresTransaction) throws {
        try ledger.decide(findings, now: now, policy: policy, transaction) { finding, state, policy, newAlert in
            let decision = evaluate(
                finding.course, at: finding.time, state, isToldOutOfRange: finding.isToldOutOfRange, now: now,
                lag: finding.lag, newAlert: newAlert, policy: policy)
            guard case .toward(var outlook) = finding.course else { return (decision, nil, nil) }
            outlook.at = outlook.at + finding.lag
            return (decision, nil, outlook)
        }
    }

    /// Writes episodes. Charges and alerts follow with those of ranges, in the order in which all are locked.
    func writeEpisodes(_ transaction: PostgresTransaction) throws -> ReservedNumbers {
        try ledger.writeEpisodes(transaction)
    }

    func charges(_ numbers: ReservedNumbers) -> [ChargeThrottles.Charge] { ledger.charges(numbers) }
}

extension Outlook.Heading {
    fileprivate var isToward: Bool { if case .toward = self { true } else { false } }
}
