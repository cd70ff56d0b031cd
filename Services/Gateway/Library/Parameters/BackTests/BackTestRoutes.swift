import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The route of back-tests: what limits would have told a person lately.
enum BackTestRoutes {
    static let all = [test].forProjects()

    private static let minimum = Input<[RangeChange.Limit]?>.optionalQuery(
        "minimum", TriedLimits.format,
        "The minimum to try, in the person's unit, or none; several, separated by commas. Without it: as it is.")
    private static let maximum = Input<[RangeChange.Limit]?>.optionalQuery(
        "maximum", TriedLimits.format,
        "The maximum to try, likewise. Only one of the two can be several.")
    private static let days = Input<Int>.query("days", .integer(1...30), default: 30, "So many days back.")
    private static let times = Input<Int>.query(
        "times", .integer(0...BackTest.mostAlarms), default: BackTest.mostAlarms,
        "The most alarms that are listed of each, the newest.")

    private static let test = Route<Caller>(
        .get, "/devices/{device}/parameters/{parameter}/back-test", id: "testLimits", tag: ParameterRoutes.tag,
        access: .read, "Show how often limits would have alerted",
        text: """
            Decides on the stored readings by other limits, as if each reading had come the moment it was taken, and every \
            alert had arrived. Work on the water is left out. It counts with the delay, the critical limits, the wish to be told of unstable water once, the \
            greatest change within an hour, the time by which limits are told ahead, and the interval between alerts that the \
            person has now. Limits at other times stay as they are, and hold then. Few run at a time for a person, and few in a row: 429 tells when to ask again.
            """,
        inputs: [ReadingInputs.device, ReadingInputs.parameter, minimum, maximum, days, times],
        answers: .json(.ok, BackTestAnswer.output), problems: [.notFound], limit: .heavy,
        handle: { caller, inputs in
            let scope = caller.scope
            let subject = try await scope.watch(inputs[ReadingInputs.parameter], of: inputs[ReadingInputs.device])
            guard subject.isCurrent else { throw Problem(.notFound) }
            let ranges = try TriedLimits.ranges(subject.range, minimum: minimum, maximum: maximum, in: inputs)
            let (rules, policy) = (try subject.range.rules, subject.policy(scope.services.policy))
            let period = subject.now - .seconds(86_400 * inputs[days])..<subject.now + EventTime.furthestAhead
            return try await scope.services.backTests.run(for: subject.watch.account) {
                let past = try await scope.pastReadings(of: subject.watch, in: period)
                let (work, turns) = try await scope.transaction(TransactionOptions(isReadOnly: true)) {
                    transaction, _ in
                    (
                        try transaction.execute(ListWork(on: subject.watch.device, in: period)).moved(
                            by: .zero - subject.lag),
                        try transaction.turns(of: [subject.range], in: period)[0].moved(by: .zero - subject.lag)
                    )
                }
                let timed = turns.isEmpty ? nil : try TimedLimits(subject.range, turns)
                return .value(
                    BackTestAnswer(
                        subject: subject, since: past.first, readings: past.count,
                        tests: try await past.tests(of: ranges, rules: rules, policy: policy, work: work, timed: timed),
                        times: inputs[times]))
            }
        })
}

/// The results of the limits that were tried.
struct BackTestAnswer: Sendable {
    let subject: WatchSubject
    /// The time of the first reading.
    let since: Timestamp?
    let readings: Int
    let tests: [BackTest]
    /// Most alarms to list for each range.
    let times: Int

    static let output = Output<BackTestAnswer>.object(
        "BackTest", "How often limits would have alerted.",
        [
            .member("parameter", .text, "The parameter's name.", example: "temperature") {
                $0.subject.watch.parameter.name
            },
            .member("unit", .choice(Unit.self), "The person's unit, which all values are in.") {
                $0.subject.range.scale.unit
            },
            .member(
                "since", .optional(of: .timestamp),
                "When the first reading was taken that counts: of a device that sends very often, the newest ones count."
            ) { $0.since },
            .member("until", .timestamp, "The time up to which readings count.") { $0.subject.now },
            .member("readings", .integer, "How many readings were decided on.", example: 86_400) { $0.readings },
            .member(
                "tooNew", .boolean, "Whether there is less than a day of readings, which says nothing.", example: false
            ) { BackTest.isTooNew(since: $0.since, now: $0.subject.now) },
            .member("results", .list(of: TriedRange.output), "One for each of the limits that were tried, in order.") {
                answer in
                answer.tests.map { TriedRange(test: $0, person: answer.subject.range, times: answer.times) }
            },
        ])
}

private struct TriedRange: Sendable {
    let test: BackTest
    let person: PersonalRange
    let times: Int

    static let output = Output<TriedRange>.object(
        "TriedLimits", "Limits, and what they would have told.",
        [
            .member("minimum", .optional(of: .decimal), "The minimum after it snapped to a sensor step.", example: 12) {
                tried in tried.test.range.minimum.map(tried.person.shown)
            },
            .member("maximum", .optional(of: .decimal), "The maximum, likewise.", example: 24) { tried in
                tried.test.range.maximum.map(tried.person.shown)
            },
            .member("alarms", .integer, "How many episodes would have raised an alarm by value.", example: 4) {
                $0.test.alarmCount
            },
            .member("reminders", .integer, "How many alerts would have followed while they lasted.", example: 12) {
                $0.test.reminderCount
            },
            .member(
                "rateAlarms", .integer, "How many episodes would have raised an alarm by rate, which no limit decides.",
                example: 0
            ) { $0.test.alarmCount(of: .rate) },
            .member(
                "aheadAlarms", .integer, "How often it would have been told ahead that a limit is reached.", example: 0
            ) {
                $0.test.alarmCount(of: .ahead)
            },
            .member(
                "times", .list(of: AlarmOfTest.output),
                "The newest alarms by value, and as many of the other kinds, oldest first."
            ) { tried in
                tried.test.newest(tried.times).map { AlarmOfTest(alarm: $0, person: tried.person) }
            },
        ])
}

private struct AlarmOfTest: Sendable {
    let alarm: BackTest.Alarm
    let person: PersonalRange

    static let output = Output<AlarmOfTest>.object(
        "AlarmOfTest", "An alarm that would have been given.",
        [
            .member("time", .timestamp, "When the reading was taken.") { $0.alarm.time },
            .member(
                "side", .choice(Side.self),
                "Which limit it was beyond, or would be; of a change, high where the value rose."
            ) { $0.alarm.side },
            .member(
                "value", .optional(of: .decimal),
                "The reading, in the person's unit; of a change, the median of three readings that it reached.",
                example: 24.6
            ) { $0.person.told($0.alarm.value) },
            .member(
                "change", .optional(of: .decimal),
                "By how much the value had changed within an hour, in the unit for changes; null: it was beyond a limit.",
                example: .null
            ) { alarm in alarm.alarm.course?.change.map { alarm.person.shownChange($0.by) } },
            .member(
                "expectedAt", .optional(of: .timestamp),
                "Of an alarm told ahead, when the limit was expected to be reached; null: it told what was so.",
                example: .null
            ) { $0.alarm.course?.outlook?.at },
        ])
}
