import ArgumentParser
import Instants
import Postgres
import ServiceKit
import Store
import WaterQuality
import Words

/// `aqua range test`
struct RangeTest: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Shows how often limits would have alerted a person lately.",
        discussion: """
            Decides on the stored readings by other limits, as if each reading had come the moment it was taken, and every \
            alert had arrived. Limits are in the person's unit; what is not given stays as it is, and so do \
            limits at other times. Nothing is changed.

            Example:  aqua range test ada@example.org pond-1 dissolved_oxygen --min 6.8
            Parameters:  \(Parameter.allCases.map(\.name).joined(separator: ", "))
            """)

    @OptionGroup var watch: WatchArguments
    @OptionGroup var limits: LimitArguments
    @Option(
        help: "From when on: 2026-05-01T12:00:00Z, or so long ago, such as 7d. (default: 30d)", transform: Since.init)
    var since: Since?
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let policy = try context.environment.alertPolicy()
        let change = RangeChange(minimum: limits.minimum, maximum: limits.maximum)
        let report = try await context.withDatabase { connection in
            let subject = try await watch.find(on: connection)
            guard subject.isCurrent else { throw watch.absent }
            let start = (since ?? .ago(BackTest.longest)).time(at: subject.now)
            guard start < subject.now else { throw OperatorError(.invalidInput, "--since is a time that has passed.") }
            let tried = try change.applied(toRangeOf: subject.range)
            let range = try SafeRange(watch.parameter, minimum: tried.minimum, maximum: tried.maximum)
            let past = try await connection.pastReadings(
                of: subject.watch, in: start..<subject.now + EventTime.furthestAhead)
            let work = try await connection.execute(
                ListWork(on: subject.watch.device, in: start..<subject.now + EventTime.furthestAhead)
            ).moved(by: .zero - subject.lag)
            var timed: TimedLimits?
            if let periods = subject.range.periods {
                let turns = try await connection.execute(
                    ReadLimitTurns(of: [periods], in: start..<subject.now + EventTime.furthestAhead))
                timed = try TimedLimits(subject.range, (turns.first ?? LimitTurns.none).moved(by: .zero - subject.lag))
            }
            let tests = try await past.tests(
                of: [range], rules: subject.range.rules, policy: subject.policy(policy), work: work, timed: timed)
            return BackTestReport(watch.device, tried, tests[0], past, now: subject.now)
        }
        try context.console.show(report, output)
    }
}

struct BackTestReport: Report {
    struct Alarm: Encodable {
        var time: String
        var side: String
        /// `nil` where the unit has no such value.
        var value: Double?
        /// The change within an hour, in an alarm about a fast change.
        var change: Double?
        /// When the limit was expected to be reached, in an alarm ahead of it.
        var expectedAt: String?
        fileprivate var told: String

        private enum CodingKeys: CodingKey { case time, side, value, change, expectedAt }
    }

    var deviceId: String
    var parameter: String
    /// The unit of all values.
    var unit: String
    var minimum: Double?
    var maximum: Double?
    /// When the first reading that counts was taken; `nil` where there is none.
    var since: String?
    var readings: Int
    /// Whether less than a day was measured.
    var tooNew: Bool
    var alarms: Int
    var reminders: Int
    /// Alarms about fast changes, which no limit decides.
    var rateAlarms: Int
    /// Alarms ahead of a limit.
    var aheadAlarms: Int
    /// The newest alarms, oldest first.
    var times: [Alarm]
    private var limits: String

    private enum CodingKeys: CodingKey {
        case deviceId, parameter, unit, minimum, maximum, since, readings, tooNew, alarms, reminders, rateAlarms,
            aheadAlarms, times
    }

    init(
        _ device: Device.HardwareID, _ range: PersonalRange, _ test: BackTest, _ past: PastReadings, now: Timestamp
    ) {
        func text(_ steps: Steps?) -> String {
            steps.map { range.parameter.text(range.parameter.value(of: $0), in: range.unit, .en) } ?? "none"
        }
        deviceId = device.text
        parameter = range.parameter.name
        unit = range.unit.rawValue
        minimum = range.minimum.map(range.shown)
        maximum = range.maximum.map(range.shown)
        since = past.first?.iso8601
        readings = past.count
        tooNew = BackTest.isTooNew(since: past.first, now: now)
        alarms = test.alarmCount
        reminders = test.reminderCount
        rateAlarms = test.alarmCount(of: .rate)
        aheadAlarms = test.alarmCount(of: .ahead)
        times = test.alarms.map { alarm in
            Alarm(
                time: alarm.time.iso8601, side: alarm.side.rawValue, value: range.told(alarm.value),
                change: alarm.course?.change.map { range.shownChange($0.by) },
                expectedAt: alarm.course?.outlook?.at.iso8601,
                told: text(alarm.value) + Self.place(of: alarm, in: range, text(test.range.limit(on: alarm.side))))
        }
        limits = "minimum \(text(range.minimum)), maximum \(text(range.maximum))"
    }

    /// The words after the value: the limit that it is beyond or approaches, or its change.
    private static func place(of alarm: BackTest.Alarm, in range: PersonalRange, _ limit: String) -> String {
        if let change = alarm.course?.change {
            return ", \(alarm.side == .high ? "rose" : "fell") \(range.changeText(change.by)) within an hour"
        }
        let place = "\(alarm.side == .high ? "above" : "below") \(limit)"
        return alarm.course?.outlook.map { ", \(place) by \($0.at.iso8601)" } ?? " \(place)"
    }

    var text: String {
        guard let since else { return "\(deviceId) has sent no \(parameter) in this time." }
        let heading =
            "\(parameter) of \(deviceId) with \(limits): \(count(alarms, "alarm")), "
            + count(reminders, "reminder") + (rateAlarms > 0 ? ", \(rateAlarms) by rate" : "")
            + (aheadAlarms > 0 ? ", \(aheadAlarms) told ahead" : "")
            + " since \(since) (\(count(readings, "reading")))"
        let warning = tooNew ? "\nThat is less than a day of readings, which says little." : ""
        guard !times.isEmpty else { return heading + warning }
        var table = TextTable(["ALARM", "VALUE"])
        for alarm in times { table.add([alarm.time, alarm.told]) }
        let rest = alarms + rateAlarms + aheadAlarms > times.count ? "\nThese are the newest." : ""
        return heading + warning + "\n" + table.text + rest
    }

    private func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
}
