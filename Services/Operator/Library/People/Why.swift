import ArgumentParser
import Instants
import Postgres
import Store
import WaterQuality
import Words

/// `aqua why`
struct Why: OperatorCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explains why a person was alerted, or was not.",
        discussion: """
            Tells what came, which limits held then, what was decided and why, and what became of it. What is stored says what \
            happened; the readings in between are decided once more by the settings of their time. Times are in UTC, values in \
            the person's unit.

            Example:  aqua why ada@example.org pond-1 temperature --at 2026-05-01T14:05:00Z
                      aqua why ada@example.org pond-1 temperature --since 6h
            """)

    /// The time before and after `--at`.
    private static let around = Duration.seconds(1_800)

    @OptionGroup var watch: WatchArguments
    @Option(
        help: "The half hours before and after this time: 2026-05-01T12:00:00Z, or so long ago, such as 2h.",
        transform: Since.init)
    var at: Since?
    @Option(help: "From when on, likewise; a week at most. (default: an hour before the end)", transform: Since.init)
    var since: Since?
    @Option(help: "Until when, likewise. (default: now)", transform: Since.init)
    var until: Since?
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        guard at == nil || since == nil && until == nil else {
            throw OperatorError(.invalidInput, "Give --at, or --since and --until, not both.")
        }
        let policy = try context.environment.alertPolicy()
        let report = try await context.withDatabase { connection in
            let subject = try await watch.find(on: connection)
            let asked = try period(at: subject.now)
            let found = try await subject.explain(asked, policy) { stretch in
                let past = try await connection.pastReadings(
                    of: subject.watch, in: stretch, most: Explanation.mostReadings, withHistory: true)
                let stored = try await connection.transaction(SeriesRequest.transaction) { transaction in
                    try transaction.past(of: WatchStretch(subject.watch, in: past.covered(of: stretch)))
                }
                return (past, stored)
            }
            guard let found else {
                throw OperatorError(
                    .notFound,
                    "\(watch.email) did not have the device \(watch.device) at that time, or its readings are kept no longer."
                )
            }
            return WhyReport(
                watch.device, subject.range, found.explanation, readings: found.readings, in: found.period,
                isComplete: found.isComplete)
        }
        try context.console.show(report, output)
    }

    /// - Throws: `invalidInput` when the period is empty or too long.
    private func period(at now: Timestamp) throws(OperatorError) -> Range<Timestamp> {
        let latest = now + EventTime.furthestAhead
        let at = at?.time(at: now)
        let end = min(at.map { $0 + Self.around } ?? until?.time(at: now) ?? latest, latest)
        let start = at.map { $0 - Self.around } ?? since?.time(at: now) ?? min(end, now) - .seconds(3_600)
        guard start < end else {
            throw OperatorError(.invalidInput, "What is explained has passed, and --since is before --until.")
        }
        guard end - start <= Explanation.longest + EventTime.furthestAhead else {
            throw OperatorError(.invalidInput, "A week is explained at most: give --since and --until closer together.")
        }
        return start..<end
    }
}

struct WhyReport: Report {
    struct Step: Encodable {
        var time: String
        /// The time of the last reading.
        var until: String?
        var readings: Int
        /// The least and the greatest value; `nil` where the unit has no such value.
        var least: Double?
        var greatest: Double?
        var what: String
        var side: String?
        var notification: String
        /// The time until which the reason holds, or until which nothing came.
        var holdsUntil: String?
        var alert: String?
        var alertState: Alert.State?
        var text: String
    }

    var deviceId: String
    var parameter: String
    /// The unit of all values.
    var unit: String
    var from: String
    var until: String
    var readings: Int
    /// Whether nothing was cut off at the beginning.
    var complete: Bool
    var steps: [Step]

    init(
        _ device: Device.HardwareID, _ range: PersonalRange, _ explanation: Explanation, readings: Int,
        in period: Range<Timestamp>, isComplete: Bool
    ) {
        deviceId = device.text
        parameter = range.parameter.name
        unit = range.unit.rawValue
        from = period.lowerBound.iso8601
        until = period.upperBound.iso8601
        self.readings = readings
        complete = isComplete
        steps = explanation.steps.map { step in
            Step(
                time: step.time.iso8601, until: step.values?.until.iso8601, readings: step.values?.count ?? 0,
                least: step.values.flatMap { range.told($0.least) },
                greatest: step.values.flatMap { range.told($0.greatest) }, what: step.what.rawValue,
                side: step.side?.rawValue, notification: step.notification.rawValue,
                holdsUntil: step.holdsUntil?.iso8601, alert: step.alert?.name, alertState: step.alert?.state,
                text: step.text(of: range.parameter, in: range.unit, .en) { $0.civilTime() })
        }
    }

    var text: String {
        let heading =
            readings == 0
            ? "No \(parameter) of \(deviceId) is stored from \(from) to \(until)."
            : "\(parameter) of \(deviceId) from \(from) to \(until): \(readings) reading\(readings == 1 ? "" : "s")"
        let rest = complete ? "" : "\nThere was more before: show it with --until."
        return heading + rest + "\n" + steps.map { "\($0.time)  \($0.text)" }.joined(separator: "\n")
    }
}
