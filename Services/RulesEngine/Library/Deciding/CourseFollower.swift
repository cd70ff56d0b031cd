import Instants
import Postgres
import Store
import WaterQuality

/// The courses of values that somebody asks for, as one claim finds them, and what they mean for each person.
struct CourseFollower {
    /// A message with what else is known of it.
    private struct Noted {
        var message: ClaimedMessage
        var device: WatchedDevice
        var lag: Duration
        var latest: Timestamp
        /// The watches that are out of range, and whose people were alerted of it.
        var toldOutOfRange: Set<Subject> = []
    }

    /// The meaning of a value's course for a person.
    private struct Found {
        var subject: Subject
        var course: CourseFinding
        var moment: FoundAt
        var latest: Timestamp
        var policy: AlertPolicy
    }

    let policy: AlertPolicy
    let now: Timestamp
    /// Messages of one batch.
    private var batch: [Noted] = []
    private var findings: [Found] = []

    init(policy: AlertPolicy, now: Timestamp) {
        self.policy = policy
        self.now = now
    }

    /// Takes a message. Those of one batch count in the order of their times: what is stored does not tell in which order they
    /// came, and engines that read it again have to come to the same.
    /// - Parameters:
    ///   - lag: The constant lag of the device's clock.
    ///   - latest: The latest time that an earlier mark can rightly carry (`EventTime.latest`).
    ///   - isToldOutOfRange: Whether a watch is out of range, and its person was alerted of it.
    mutating func note(
        _ message: ClaimedMessage, _ device: WatchedDevice, lag: Duration, latest: Timestamp,
        isToldOutOfRange: (Subject) -> Bool
    ) {
        if let first = batch.first?.message, first.slot != message.slot || first.receivedAt != message.receivedAt {
            followBatch()
        }
        var noted = Noted(message: message, device: device, lag: lag, latest: latest)
        Parameter.forEach(in: device.coursed & message.content.readings.present) { parameter in
            for person in device.people {
                let range = Subject(
                    device: message.device, parameter: parameter, account: person.account, kind: .range)
                if isToldOutOfRange(range) { noted.toldOutOfRange.insert(range) }
            }
        }
        batch.append(noted)
    }

    private mutating func followBatch() {
        for noted in batch.sorted(by: { $0.message.content.time < $1.message.content.time }) {
            for kind in Courses.all { follow(noted, kind) }
        }
        batch.removeAll(keepingCapacity: true)
    }

    /// Adds a message's readings to the courses of its device, and notes what they mean for each person who asks.
    private mutating func follow(_ noted: Noted, _ kind: any Course.Type) {
        let (message, device) = (noted.message.content, noted.device)
        Parameter.forEach(in: device.followed(kind.kind) & message.readings.present) { parameter in
            guard let value = message.readings[parameter] else { return }
            let reading = Reading(time: message.time, value: parameter.steps(of: value))
            guard let course = device.follow(reading, of: parameter, kind, latest: noted.latest) else { return }
            for index in device.people.indices { find(course, parameter, noted, ofPersonAt: index) }
        }
    }

    private mutating func find(_ course: any Course, _ parameter: Parameter, _ noted: Noted, ofPersonAt index: Int) {
        let (device, person, kind) = (noted.device, noted.device.people[index], type(of: course))
        let (range, rules, _) = person.held(parameter, at: noted.message.content.time + noted.lag)
        let isOpen = person.hasOpenCourse(kind.kind, of: parameter)
        guard kind.isAsked(by: rules) || isOpen, person.isTheirs(at: noted.message.content.time, lag: noted.lag)
        else { return }
        let settled = device.work.settled(at: noted.message.content.time + noted.lag).map { $0 - noted.lag }
        // While somebody works, and until the water has settled, nothing follows from a course; what goes on waits.
        if let settled, noted.message.content.time < settled { return }
        let theirs = device.start(ofCourse: parameter, for: person, lag: noted.lag, latest: noted.latest)
        let start = [theirs, settled].compactMap(\.self).max()
        var subject = Subject(
            device: noted.message.device, parameter: parameter, account: person.account, kind: .range)
        let isToldOutOfRange = noted.toldOutOfRange.contains(subject)
        subject.kind = kind.kind
        let moment = FoundAt(noted.message.content.time, now: now, lag: noted.lag)
        let found = course.find(
            for: CourseWishes(rules, range: range, since: start), at: moment,
            isToldOutOfRange: isToldOutOfRange, policy: policy)
        switch found.finding {
        case .holds: device.setOpenCourse(true, kind.kind, of: parameter, ofPersonAt: index)
        case .over where isOpen, .moot where isOpen:
            device.setOpenCourse(false, kind.kind, of: parameter, ofPersonAt: index)
        case .nothing, .lingers, .over, .moot: return
        }
        findings.append(
            Found(
                subject: subject, course: found, moment: moment, latest: noted.latest,
                policy: person.policy(device.isSite ? policy.ofSite : policy)))
    }

    /// Decides what was found, in its order, each on what the one before has left.
    mutating func decide(into ledger: inout Ledger, _ transaction: PostgresTransaction) throws {
        followBatch()
        guard !findings.isEmpty else { return }
        try ledger.load(
            Array(Set(findings.map(\.subject.kind))), of: Array(Set(findings.map(\.subject.device))),
            for: Set(findings.map(\.subject.account)), mostAnHour: policy.mostAnHour, transaction)
        for found in findings {
            let (subject, moment) = (found.subject, found.moment)
            ledger.decide(
                subject, at: Ledger.Moment(time: moment.time, now: now, latest: found.latest), policy: found.policy,
                find: { _ in found.course.finding },
                content: { _ in
                    guard let parameter = subject.parameter, let shown = found.course.shown else {
                        preconditionFailure("only what a course shows is told")
                    }
                    return shown.content(of: parameter, lag: moment.lag)
                })
        }
    }
}
