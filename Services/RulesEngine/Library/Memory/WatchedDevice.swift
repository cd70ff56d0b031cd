import Instants
import Store
import WaterQuality

/// An engine's memory of an owned device: enough to see that a reading changes nothing for anybody.
///
/// A class, so that the messages of a claim hold the device and need not look it up again. A reading is compared with
/// what is in range for everybody, so that it costs the same however many people watch.
///
/// `@unchecked Sendable`: the object is reached only through the one `EngineMemory` that owns it, under that memory's
/// lock.
final class WatchedDevice: @unchecked Sendable {
    /// The owner and the watchers, in no order.
    private(set) var people: [Person] = []
    /// The values of each parameter that are in range for everybody, at all times.
    private var common = PerParameter<CommonRange>(repeating: CommonRange())
    /// The parameters that somebody has limited, one bit each.
    private var limited: UInt32 = 0
    /// The parameters of which somebody wants to be told once that they are unstable, one bit each.
    private(set) var toldUnstable: UInt32 = 0
    /// The parameters of which somebody has an open episode, one bit each.
    private(set) var openEpisodes: UInt32 = 0
    /// Its probes that have said that they are broken, and have given no value since; nearly always none.
    private(set) var probeFaults: [Parameter: ProbeFault] = [:]
    /// The values that have stayed the same for too long; nearly always none.
    private(set) var flatLines: [Parameter: FlatLine] = [:]
    /// The parameters of both, one bit each.
    private var inDoubt: UInt32 = 0
    /// The parameters of which somebody asks for a course, or has an open episode of it, one bit each, by kind; nearly always none.
    private var askedCourses: [Alert.Kind: UInt32] = [:]
    /// The parameters of all of them.
    private(set) var coursed: UInt32 = 0
    /// The courses, as far as they are known.
    private var courses: [CourseKey: any Course] = [:]

    private struct CourseKey: Hashable {
        var kind: Alert.Kind
        var parameter: Parameter
    }

    /// Until when it is known which limits hold, by the database's clock; nearly always without end.
    private var limitsKnownUntil = Timestamp.distantFuture

    /// Work on the water, by the database's clock; nearly always none.
    var work: [Work] = []
    /// When somebody last chose another temperature probe.
    var probeChosenAt: Timestamp?
    /// Whether it is a site: what it shows was measured elsewhere, by a clock that is right, and comes late.
    var isSite = false
    /// How far the device was evaluated.
    var watermark = Watermark()
    /// Whether a reading of the current claim may change something.
    var isConcerned = false

    /// A range that is empty when people's ranges do not overlap.
    private struct CommonRange {
        var lower = Int32.min
        var upper = Int32.max

        func contains(_ value: Steps) -> Bool { value.count >= lower && value.count <= upper }

        mutating func narrow(to range: SafeRange) {
            lower = max(lower, range.minimum?.count ?? .min)
            upper = min(upper, range.maximum?.count ?? .max)
        }
    }

    /// The position of a person in `people`; `nil` when the device is not theirs.
    func index(of account: Account.ID) -> Int? { people.firstIndex { $0.account == account } }

    /// - Returns: The person's position in `people`.
    @discardableResult
    func add(_ person: Person) -> Int {
        people.append(person)
        openEpisodes |= person.openEpisodes
        for parameter in Parameter.allCases {
            if let range = person[range: parameter] { narrow(parameter, to: range) }
        }
        return people.count - 1
    }

    /// Sets the range and the rules of a person who has none for this parameter.
    func set(
        _ range: SafeRange, _ rules: WatchRules = .none, for parameter: Parameter, ofPersonAt index: Int
    ) {
        people[index][range: parameter] = range
        people[index].set(rules, for: parameter)
        toldUnstable |= people[index].toldUnstable
        askForCourses(rules, of: parameter)
        narrow(parameter, to: range)
    }

    /// Sets the rules of a person who has no limits for this parameter.
    func set(_ rules: WatchRules, for parameter: Parameter, ofPersonAt index: Int) {
        people[index].set(rules, for: parameter)
        askForCourses(rules, of: parameter)
    }

    /// Sets limits that change by the clock, of a person who has the plain ones among them. What is within all of them needs no look at the clock.
    /// - Parameter knownUntil: When the device has to be read again.
    func set(
        _ limits: TimedLimits, knownUntil: Timestamp, for parameter: Parameter, ofPersonAt index: Int
    ) {
        people[index].set(limits, for: parameter)
        limitsKnownUntil = min(limitsKnownUntil, knownUntil)
        for held in limits.all {
            narrow(parameter, to: held.range)
            askForCourses(held.rules, of: parameter)
        }
    }

    /// Whether the limits that hold at a time are known, by the database's clock.
    func knowsLimits(at time: Timestamp) -> Bool { time < limitsKnownUntil }

    private func askForCourses(_ rules: WatchRules, of parameter: Parameter) {
        for course in Courses.all where course.isAsked(by: rules) { ask(for: course.kind, of: parameter) }
    }

    private func ask(for kind: Alert.Kind, of parameter: Parameter) {
        askedCourses[kind, default: 0] |= parameter.bit
        coursed |= parameter.bit
    }

    private func narrow(_ parameter: Parameter, to range: SafeRange) {
        common[Int(parameter.rawValue)].narrow(to: range)
        limited |= parameter.bit
    }

    /// Marks the device if these readings could change more than its watermark: one is out of somebody's range, or an
    /// episode is open.
    /// - Returns: Whether this call set the mark.
    func concern(_ readings: Readings) -> Bool {
        guard !isConcerned, openEpisodes != 0 || !areInRange(readings) else { return false }
        isConcerned = true
        return true
    }

    /// Whether no reading is out of anybody's range.
    func areInRange(_ readings: Readings) -> Bool {
        var areIn = true
        Parameter.forEach(in: limited & readings.present) { parameter in
            guard areIn, let value = readings[parameter] else { return }
            areIn = common[Int(parameter.rawValue)].contains(parameter.steps(of: value))
        }
        return areIn
    }

    /// Those of some readings that are out of somebody's range and have jumped from the value before, or may have, one bit each.
    /// - Parameter isFirst: Whether the watermark has the value before.
    func suspects(_ readings: Readings, isFirst: Bool) -> UInt32 {
        var suspects: UInt32 = 0
        Parameter.forEach(in: limited & readings.present) { parameter in
            guard let value = readings[parameter].map(parameter.steps), !common[Int(parameter.rawValue)].contains(value)
            else { return }
            let last = watermark.value(of: parameter)
            if !isFirst || SuspectedSpike.mayBe(value, after: last, of: parameter) { suspects |= parameter.bit }
        }
        return suspects
    }

    func setFault(_ fault: ProbeFault?, _ parameter: Parameter) {
        probeFaults[parameter] = fault
        setInDoubt(parameter)
    }

    func setFlatLine(_ line: FlatLine?, _ parameter: Parameter) {
        flatLines[parameter] = line
        setInDoubt(parameter)
    }

    private func setInDoubt(_ parameter: Parameter) {
        if probeFaults[parameter] == nil, flatLines[parameter] == nil {
            inDoubt &= ~parameter.bit
        } else {
            inDoubt |= parameter.bit
        }
    }

    /// The probes of which a message says something that matters: that they are broken, or no longer, or what stays the same.
    func probesInQuestion(_ message: EvaluationBatch.Message) -> ParameterSet {
        ParameterSet(mask: message.brokenProbes.mask | (inDoubt & message.readings.present))
    }

    /// Whether a message of this time belongs to somebody.
    /// - Parameter lag: The constant lag of the device's clock.
    func isSomebodys(at time: Timestamp, lag: Duration) -> Bool {
        people.contains { $0.isTheirs(at: time, lag: lag) }
    }

    /// Notes whether a person has an open episode of a kind that follows from a course.
    func setOpenCourse(_ isOpen: Bool, _ kind: Alert.Kind, of parameter: Parameter, ofPersonAt index: Int) {
        people[index].setOpenCourse(isOpen, kind, of: parameter)
        if isOpen { ask(for: kind, of: parameter) }
    }

    /// The parameters of which a course is followed.
    func followed(_ kind: Alert.Kind) -> UInt32 { askedCourses[kind] ?? 0 }

    /// So long after a choice an Ingestor may still take the former probe: it looks every 20 seconds, and clocks differ.
    private static let probeTakesOver = Duration.seconds(120)

    /// Where the course of a parameter begins for a person, by the device's clock: what was measured before is of somebody else's
    /// water, or of another probe. `nil` where nothing lies before it.
    /// - Parameters:
    ///   - lag: The constant lag of the device's clock.
    ///   - latest: The latest time that an earlier mark can rightly carry (`EventTime.latest`); a later choice is void.
    func start(ofCourse parameter: Parameter, for person: Person, lag: Duration, latest: Timestamp) -> Timestamp? {
        let theirs = person.theirsFrom.map { $0 - lag }
        guard let chosen = probeChosen(for: parameter, lag: lag, latest: latest) else { return theirs }
        let start = chosen + Self.probeTakesOver
        return max(start, theirs ?? start)
    }

    /// When the probe was chosen that a parameter is measured with; `nil` where nobody has chosen.
    func probeChosen(for parameter: Parameter, lag: Duration, latest: Timestamp) -> Timestamp? {
        guard let chosen = probeChosenAt.map({ $0 - lag }), chosen <= latest, parameter.followsTemperature
        else { return nil }
        return chosen
    }

    /// Those of some parameters whose course is watched and whose last readings are not known.
    func unknownCourses(of readings: Readings) -> ParameterSet {
        var unknown: UInt32 = 0
        for (kind, parameters) in askedCourses {
            Parameter.forEach(in: parameters & readings.present) { parameter in
                if courses[CourseKey(kind: kind, parameter: parameter)] == nil { unknown |= parameter.bit }
            }
        }
        return ParameterSet(mask: unknown)
    }

    /// A reading with the latest time that one before it could rightly carry (`EventTime.latest`).
    typealias PastReading = (reading: Reading, latest: Timestamp)

    /// Takes over the last readings of a parameter, in the order in which they came.
    func recall(_ readings: [PastReading], of parameter: Parameter) {
        for kind in Courses.all where followed(kind.kind) & parameter.bit != 0 {
            var course = kind.init()
            for (reading, latest) in readings { _ = course.add(reading, latest: latest) }
            courses[CourseKey(kind: kind.kind, parameter: parameter)] = course
        }
    }

    /// Adds a reading to a course that is followed.
    /// - Returns: The course; `nil` when this reading changes nothing.
    func follow(
        _ reading: Reading, of parameter: Parameter, _ kind: any Course.Type, latest: Timestamp
    ) -> (any Course)? {
        let key = CourseKey(kind: kind.kind, parameter: parameter)
        guard courses[key, default: kind.init()].add(reading, latest: latest) else { return nil }
        return courses[key]
    }

    /// Notes whether a parameter has an open episode for a person.
    func setOpen(_ isOpen: Bool, _ parameter: Parameter, ofPersonAt index: Int) {
        people[index].setOpen(isOpen, parameter)
        if isOpen {
            openEpisodes |= parameter.bit
        } else if !people.contains(where: { $0.openEpisodes & parameter.bit != 0 }) {
            openEpisodes &= ~parameter.bit
        }
    }
}

extension Parameter {
    /// Whether another temperature probe may give another value.
    fileprivate var followsTemperature: Bool {
        self == .temperature || derivation?.inputs.contains(.temperature) ?? false
    }
}
