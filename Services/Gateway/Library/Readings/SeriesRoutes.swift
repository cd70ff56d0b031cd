import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The route of a parameter over time.
enum SeriesRoutes {
    static let all = [series].forProjects()

    private static let points = Input<Int>.query(
        "points", .integer(1...SeriesRequest.mostPoints), default: 500, "The most points.")

    private static let corrected = Input.query(
        "corrected", .boolean, default: false,
        "Whether to say of each point what it is without the drift that the calibration log shows.")

    private struct Shown: Sendable {
        var series: Series
        var parameter: Parameter
        var scale: UnitScale
        /// The course by which means are corrected; `nil` where nobody asks for that.
        var course: CalibrationCourse?

        /// The points that have a value in the unit.
        var points: [ShownPoint] { series.points.compactMap { ShownPoint($0, scale, course) } }
        var statistics: ShownStatistics { ShownStatistics(statistics: series.statistics, scale: scale) }
    }

    private struct ShownPoint: Sendable {
        let point: Series.Point
        let mean: Double
        let least: Double
        let greatest: Double
        let corrected: Double?

        init?(_ point: Series.Point, _ scale: UnitScale, _ course: CalibrationCourse?) {
            guard let mean = scale.fromCanonical(point.mean),
                let least = scale.fromCanonical(Double(point.least.value)),
                let greatest = scale.fromCanonical(Double(point.greatest.value))
            else { return nil }
            self.point = point
            self.mean = mean.shown
            self.least = least.shown
            self.greatest = greatest.shown
            corrected = course?.corrected(point.mean, at: point.time).flatMap(scale.fromCanonical)?.shown
        }
    }

    private struct ShownStatistics: Sendable {
        var statistics: Series.Statistics
        var scale: UnitScale
        func value(_ canonical: Double) -> Double? { scale.fromCanonical(canonical)?.shown }
    }

    private static let point = Output<ShownPoint>.object(
        "SeriesPoint", "The values of a stretch of time, or one message.",
        [
            .member("time", .timestamp, "The beginning of the stretch, or the time of the message.") { $0.point.time },
            .member(
                "mean", .decimal, "The mean of its values, each weighed by the time for which it held.", example: 23.4
            ) {
                $0.mean
            },
            .member("minimum", .decimal, "The least of its values.", example: 23.1) { $0.least },
            .member("minimumTime", .timestamp, "When it was the least.") { $0.point.least.time },
            .member("maximum", .decimal, "The greatest of its values.", example: 23.9) { $0.greatest },
            .member("maximumTime", .timestamp, "When it was the greatest.") { $0.point.greatest.time },
            .member(
                "corrected", .optional(of: .decimal),
                "The mean without the drift that the calibration log shows; null where corrected is not asked for, and where nothing is "
                    + "known of the drift at that time.", example: .null
            ) { $0.corrected },
            .member("count", .integer, "How many values make its figures.", example: 10) {
                Int(clamping: $0.point.count)
            },
            .member(
                "worked", .integer,
                "How many values were measured while somebody worked on the water. They are in none of its figures; where it has "
                    + "no others, and count is 0, they make them.",
                example: 0
            ) { Int(clamping: $0.point.worked) },
            .member(
                "quality", .integer,
                "The worst of what QARTOD's tests found of its values: 1 pass, 2 not evaluated, 3 suspect, 4 fail.",
                example: 3
            ) { Int($0.point.quality.rawValue) },
            .member("flagged", .integer, "How many of its values are suspect or failed.", example: 1) {
                Int(clamping: $0.point.flaggedCount)
            },
            .member(
                "finding", .optional(of: .choice(QualityTest.self)),
                "What was found: range: beyond what the probe can measure, or water can be; spike: it stands out between "
                    + "its neighbours; rate: it changed faster than water does; flat: it has not changed for hours."
            ) { $0.point.finding },
            .member(
                "afterGap", .boolean, "Whether nothing was measured between the point before and this one.",
                example: false
            ) { $0.point.isAfterGap },
        ])

    private static let statistics = Output<ShownStatistics>.object(
        "SeriesStatistics", "What a period comes to.",
        [
            .member("count", .integer, "How many values there were.", example: 1440) {
                Int(clamping: $0.statistics.count)
            },
            .member(
                "worked", .integer,
                "How many more were measured while somebody worked on the water, and are in none of the figures; of hours and days, "
                    + "how many messages.",
                example: 0
            ) { Int(clamping: $0.statistics.worked) },
            .member(
                "mean", .optional(of: .decimal), "Their mean, each weighed by the time for which it held.",
                example: 23.4
            ) { shown in
                shown.statistics.mean.flatMap(shown.value)
            },
            .member("minimum", .optional(of: .decimal), "The least.", example: 22.8) { shown in
                shown.statistics.least.flatMap { shown.value(Double($0.value)) }
            },
            .member("minimumTime", .optional(of: .timestamp), "When it was the least first.") {
                $0.statistics.least?.time
            },
            .member("maximum", .optional(of: .decimal), "The greatest.", example: 24.6) { shown in
                shown.statistics.greatest.flatMap { shown.value(Double($0.value)) }
            },
            .member("maximumTime", .optional(of: .timestamp), "When it was the greatest first.") {
                $0.statistics.greatest?.time
            },
            .member(
                "secondsOutOfRange", .integer,
                "How long it was out of the limits that the person had at each time; a value holds until the next, but not over "
                    + "a gap. Hours keep it as well, so that long periods tell the same.", example: 600
            ) { Int($0.statistics.outOfRange.components.seconds) },
            .member(
                "secondsUndecided", .integer,
                "How long the hours and days were that were partly out of range, of before version 37 of the schema: of those it "
                    + "is not known for how long.",
                example: 0
            ) { Int($0.statistics.undecided.components.seconds) },
        ])

    private static let output = Output<Shown>.object(
        "Series", "A parameter over time.",
        [
            .member("parameter", .text, "The parameter's name.", example: "temperature") { $0.parameter.name },
            .member("unit", .text, "The person's unit, which all values are in.", example: "C") {
                $0.scale.unit.rawValue
            },
            .member("resolution", .choice(HistoryResolution.self), "What the points were made of.") {
                $0.series.resolution
            },
            .member(
                "step", .integer, "The seconds that a point covers; 0 where each message is a point.", example: 300
            ) { Int($0.series.step.components.seconds) },
            .member(
                "gap", .integer,
                "What comes more than so many seconds after the last point comes after a gap: three of the usual pauses. Between "
                    + "points afterGap tells, by what was usual then.",
                example: 300
            ) { Int($0.series.longestGap.components.seconds) },
            .member("points", .list(of: point), "The points, oldest first.") { $0.points },
            .member("statistics", statistics, "The figures of the whole period.") { $0.statistics },
        ])

    private static let series = Route<Caller>(
        .get, "/devices/{device}/parameters/{parameter}/series", id: "showSeries", tag: "Readings", access: .read,
        "Show a parameter over time",
        text: """
            Any period, in at most as many points as asked for. A point keeps the least and the greatest of its values, \
            so that no spike is lost; a stretch without values has no points. Long periods are made of hours or days, of \
            which the times of the least and greatest are the beginnings. Means weigh each value by the time for which it held, \
            and hours and days by theirs; within an hour that was rolled up each value counts alike.

            Times are corrected by the lag of the device's clock, where that is proven.

            Each value is put to QARTOD's tests, by those before it in the period. Hours and days hold what was found \
            fourteen hours after their day's end; until then, and of before version 31 of the schema, they are not \
            evaluated. What is flagged is shown all the same, counts in the figures, and alarms: the worst water must not be \
            explained away.

            With corrected, each point also says its mean without the drift that the calibration log shows: even between two comparisons \
            with standards, and as the last left it from then on; null where the error was too great to be corrected. It is computed anew with each answer and stored nowhere; limits, \
            statistics and alarms keep to what was read.
            """,
        inputs: [
            ReadingInputs.device, ReadingInputs.parameter, ReadingInputs.from, ReadingInputs.until, points, corrected,
        ],
        answers: .json(.ok, output), limit: .heavy,
        handle: { caller, inputs in
            let (device, parameter) = (inputs[ReadingInputs.device], inputs[ReadingInputs.parameter])
            let scope = caller.scope
            return .value(
                try await scope.services.heavy.job(of: scope.person()).turn {
                    try await scope.transaction(SeriesRequest.transaction) { transaction, account in
                        let found = try transaction.execute(FindWatchSubject(parameter, of: device, for: account))
                        guard let subject = found.first else { throw Problem(.notFound) }
                        let period = try ReadingInputs.period(inputs, now: subject.now)
                        let series = try SeriesRequest(period, points: inputs[points])
                            .perform(of: subject, in: transaction)
                        let course =
                            inputs[corrected]
                            ? try transaction.calibrationCourse(of: parameter, on: subject.watch.device) : nil
                        return Shown(
                            series: series, parameter: parameter, scale: parameter.scale(chosen: subject.unit),
                            course: course)
                    }
                })
        })
}
