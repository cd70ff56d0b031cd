import Instants
import TestSupport
import Testing
import WaterQuality

@testable import Store

/// Building series from rows, without a database.
@Suite struct SeriesTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_593_600))

    private static func kept(messages: Duration, hours: Duration) -> KeptHistory {
        KeptHistory(
            messagesSince: start - messages, hoursSince: start - hours, rolledUpUntil: start, judgedSince: .distantPast,
            outsideSince: .distantPast, due: [])
    }

    private static func messages(_ rows: [SeriesRow], in period: Range<Timestamp>) -> [SeriesPart] {
        [SeriesPart(span: .zero, period: period, rows: rows)]
    }

    private static func hours(_ rows: [SeriesRow], in period: Range<Timestamp>) -> [SeriesPart] {
        [SeriesPart(span: RollUpSchedule.hour, period: period, rows: rows)]
    }

    /// A random series: regular, with gaps and with spikes.
    private static func rows(_ random: inout SeededGenerator) -> [SeriesRow] {
        var time = start + .seconds(Int.random(in: 0...5_000, using: &random))
        return (0..<Int.random(in: 0...400, using: &random)).map { _ in
            let gap = Int.random(in: 0..<20, using: &random) == 0 ? 4_000 : 40
            time = time + .milliseconds(Int.random(in: 1...gap * 1_000, using: &random))
            return SeriesRow(time: time, value: Float(Int.random(in: 180...260, using: &random)) / 10)
        }
    }

    @Test(arguments: 0..<200) func aSeriesLosesNothing(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rows = Self.rows(&random).shuffled(using: &random)
        let points = Int.random(in: 1...300, using: &random)
        let period = Self.start..<Self.start + .seconds(86_400)
        let seen = rows.filter { period.contains($0.time) }
        let plan = SeriesPlan(
            period, points: points, kept: Self.kept(messages: .seconds(86_400), hours: .seconds(86_400)))
        let builder = SeriesBuilder(
            parameter: .temperature, periods: [period], plan: plan, points: points, limits: [], now: .distantFuture)
        let series = builder.series(of: Self.messages(seen, in: period))

        #expect(series.points.count <= points)
        #expect(series.points.map(\.time) == series.points.map(\.time).sorted())
        #expect(Set(series.points.map(\.time)).count == series.points.count)
        #expect(series.points.reduce(0) { $0 + $1.count } == Int64(seen.count))
        // Every value lies in the point of its time, between that point's extremes; each extreme is a measured value.
        for point in series.points {
            let own = seen.filter {
                series.step == .zero
                    ? $0.time == point.time
                    : $0.time.roundedDown(to: series.step) == point.time.roundedDown(to: series.step)
            }
            #expect(point.count == Int64(own.count))
            #expect(point.least.value == own.map(\.least).min())
            #expect(point.greatest.value == own.map(\.greatest).max())
            #expect(own.contains { $0.time == point.least.time && $0.least == point.least.value })
            #expect(own.contains { $0.time == point.greatest.time && $0.greatest == point.greatest.value })
            let span = Double(point.least.value) - 1e-9...Double(point.greatest.value) + 1e-9
            #expect(span.contains(point.mean))
        }
        let statistics = series.statistics
        #expect(statistics.count == Int64(seen.count))
        #expect(statistics.least?.value == seen.map(\.least).min())
        #expect(statistics.greatest?.value == seen.map(\.greatest).max())
    }

    @Test(arguments: 0..<200) func timeOutOfRangeIsThatOfANaiveCalculation(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let half = Self.start + .seconds(Int.random(in: 0...9_000, using: &random))
        let period = Self.start..<Self.start + .seconds(12_000)
        let limits = [
            LimitVersion(period: .distantPast..<half, minimum: 200, maximum: 240),
            LimitVersion(period: half ..< .distantFuture, minimum: nil, maximum: 220),
        ]
        let rows = Self.rows(&random).filter { period.contains($0.time) }
        let plan = SeriesPlan(period, points: 10, kept: Self.kept(messages: .seconds(86_400), hours: .seconds(86_400)))
        let series = SeriesBuilder(
            parameter: .temperature, periods: [period], plan: plan, points: 10, limits: limits.shuffled(using: &random),
            now: .distantFuture
        ).series(of: Self.messages(rows, in: period))

        // Each value by itself: its duration from the time of the next value, and from the pauses that were usual
        // before it.
        let held = Self.held(rows.map(\.time), until: period.upperBound)
        var expected: Int64 = 0
        var (area, weight) = (0.0, 0.0)
        for (row, held) in zip(rows, held) {
            let value = Int((row.least * 10).rounded())
            let (start, end) = (row.time.microseconds, row.time.microseconds + held)
            if value < 200 || value > 240 { expected += max(0, min(end, half.microseconds) - start) }
            if value > 220 { expected += max(0, end - max(start, half.microseconds)) }
            area += Double(row.least) * Double(held)
            weight += Double(held)
        }
        if let mean = series.statistics.mean, weight > 0 { #expect(abs(mean - area / weight) < 1e-9) }
        #expect(series.statistics.outOfRange.wholeMicroseconds == expected)
        #expect(series.statistics.undecided == .zero)
    }

    /// How long each value holds, in microseconds, calculated in the most naive way.
    private static func held(_ times: [Timestamp], until end: Timestamp) -> [Int64] {
        var firsts: [Timestamp] = []
        return times.enumerated().map { index, time in
            if firsts.last.map({ time - $0 >= .seconds(100) }) ?? true { firsts.append(time) }
            let pauses = zip(firsts.dropFirst(), firsts).map { $0 - $1 }.suffix(24).sorted(by: >)
            let usual = pauses.count < 2 ? .zero : pauses[min(3, pauses.count) - 1]
            let longest = max(.seconds(300), usual * 3)
            let next = index + 1 < times.count ? times[index + 1] : end
            return min(next - time, longest).wholeMicroseconds
        }
    }

    /// A point has the worst quality of its messages. For roll-ups, the stored counts of flagged values decide.
    @Test(arguments: [100, 2]) func pointsTellTheWorstOfTheirValues(points: Int) {
        let period = Self.start..<Self.start + .seconds(3_600)
        let plan = SeriesPlan(
            period, points: points, kept: Self.kept(messages: .seconds(86_400), hours: .seconds(86_400)))
        var builder = SeriesBuilder(
            parameter: .temperature, periods: [period], plan: plan, points: points, limits: [], now: .distantFuture)
        let values: [Float] = [21, 21.1, 24, 21, 21.1, 21, 21.1, 39, 21, 21.1]
        let rows = values.enumerated().map { SeriesRow(time: Self.start + .seconds(360 * $0), value: $1) }
        let series = builder.series(of: Self.messages(rows, in: period))
        if points == 100 {
            #expect(series.points.map(\.quality.rawValue) == [1, 1, 3, 1, 1, 1, 1, 4, 1, 1])
            #expect(series.points[2].finding == .spike && series.points[7].finding == .spike)
        } else {
            #expect(series.points.map(\.quality) == [.suspect, .fail])
            #expect(series.points.map(\.finding) == [.spike, .spike])
        }
        let hours = [SeriesRow(time: Self.start, span: .seconds(3_600), least: -127, greatest: 85, sum: 8, count: 2)]
        #expect(builder.series(of: Self.hours(hours, in: period)).points.map(\.quality) == [.notEvaluated])
        builder.judgedSince = Self.start
        #expect(builder.series(of: Self.hours(hours, in: period)).points.map(\.quality) == [.pass])
        builder.dueDays = [Self.start.roundedDown(to: RollUpSchedule.day)]
        #expect(builder.series(of: Self.hours(hours, in: period)).points.map(\.quality) == [.notEvaluated])
        (builder.dueDays, builder.judgedUntil) = ([], Self.start)
        #expect(builder.series(of: Self.hours(hours, in: period)).points.map(\.quality) == [.notEvaluated])
    }

    /// A point of roll-ups and messages has the worst quality of either, and the number of flagged values of both.
    @Test func pointsOfRollUpsTellWhatWasFound() throws {
        let hour = RollUpSchedule.hour
        func row(_ index: Int, _ flagged: Int32?) -> SeriesRow {
            var row = SeriesRow(
                time: Self.start + hour * index, span: hour, least: 20, greatest: 21, sum: 41, count: 2)
            row.flagged = flagged.flatMap(FlaggedValues.init(rawValue:))
            return row
        }
        let period = Self.start..<Self.start + hour * 10
        var plan = SeriesPlan(period, points: 10, kept: Self.kept(messages: .zero, hours: .seconds(86_400)))
        func points(_ rows: [SeriesRow], _ messages: [SeriesRow] = []) -> [Series.Point] {
            SeriesBuilder(
                parameter: .temperature, periods: [period], plan: plan, points: 10, limits: [], now: .distantFuture,
                judgedSince: Self.start + hour
            ).series(
                of: Self.hours(rows, in: Self.start..<Self.start + hour * 5)
                    + Self.messages(messages, in: Self.start + hour * 5..<period.upperBound)
            ).points
        }
        // Not judged; nothing found; three suspect jumps; a failed spike; too many values to be judged.
        let rows = [row(0, nil), row(1, nil), row(2, 3 << 3 | 2), row(3, 1 << 3 | 5), row(4, 0)]
        #expect(points(rows).map(\.quality) == [.notEvaluated, .pass, .suspect, .fail, .notEvaluated])
        #expect(points(rows).map(\.finding) == [nil, nil, .rate, .spike, nil])
        #expect(points(rows).map(\.flaggedCount) == [0, 0, 3, 1, 0])
        (plan.resolution, plan.step) = (.hour, hour * 24)
        let messages = [19, 20, -127, 20].enumerated().map {
            SeriesRow(time: Self.start + hour * 5 + .seconds(600 * $0.offset), value: $0.element)
        }
        let all = points(rows, messages)
        #expect(all.count == 1 && all[0].quality == .fail && all[0].finding == .range && all[0].flaggedCount == 5)
        #expect(points(Array(rows.prefix(2)))[0].quality == .pass, "what is not known takes nothing from what is")
    }

    @Test func aRollUpIsOutOfRangeWhollyPartlyOrNotAtAll() {
        let hour = RollUpSchedule.hour
        func row(_ index: Int, _ least: Float, _ greatest: Float) -> SeriesRow {
            SeriesRow(
                time: Self.start + hour * index, span: hour, least: least, greatest: greatest,
                sum: Double(least + greatest),
                count: 2)
        }
        let period = Self.start..<Self.start + hour * 4
        let limits = [
            LimitVersion(period: .distantPast..<Self.start + hour * 3, minimum: 200, maximum: 240),
            // Limits change in the middle of the last hour.
            LimitVersion(period: Self.start + hour * 3..<Self.start + hour * 3.5, minimum: nil, maximum: 240),
            LimitVersion(period: Self.start + hour * 3.5 ..< .distantFuture, minimum: nil, maximum: 210),
        ]
        let plan = SeriesPlan(period, points: 10, kept: Self.kept(messages: .zero, hours: .seconds(86_400)))
        let series = SeriesBuilder(
            parameter: .temperature, periods: [period], plan: plan, points: 10, limits: limits,
            now: .distantFuture
        ).series(of: Self.hours([row(0, 20, 24), row(1, 19, 21), row(2, 24.1, 25), row(3, 22, 23)], in: period))
        #expect(series.statistics.outOfRange == hour * 1.5)
        #expect(series.statistics.undecided == hour)
    }

    /// Hours with a stored time outside the range count that time, whatever their least and greatest values.
    @Test func hoursTellHowLongTheyWereOutside() {
        let hour = RollUpSchedule.hour
        let rows = (0..<4).map {
            SeriesRow(time: Self.start + hour * $0, span: hour, least: 20, greatest: 30, sum: 50, count: 2)
        }
        let period = Self.start..<Self.start + hour * 4
        let day = Self.start.roundedDown(to: RollUpSchedule.day)
        let first = Int((Self.start - day) / hour)
        var outside = HoursOutside(since: Self.start + hour)
        var seconds = [Int16](repeating: 0, count: 24)
        seconds.replaceSubrange(first..<first + 4, with: [900, 1_200, 0, 600])
        outside.add(ReadTimeOutside.Row(day: day, seconds: seconds))
        let series = SeriesBuilder(
            parameter: .temperature, periods: [period],
            plan: SeriesPlan(period, points: 10, kept: Self.kept(messages: .zero, hours: .seconds(86_400))), points: 10,
            limits: [LimitVersion(period: .distantPast ..< .distantFuture, minimum: 210, maximum: 240)],
            now: .distantFuture, outside: outside
        ).series(of: Self.hours(rows, in: period))
        #expect(series.statistics.outOfRange == .seconds(1_800))
        #expect(series.statistics.undecided == hour, "of the hour before it was kept")
    }

    @Test func nothingHoldsOverAGapOrTheEndOfThePeriod() {
        let period = Self.start..<Self.start + .seconds(3_600)
        let rows = [0, 30, 60, 90, 3_000, 3_500].map {
            SeriesRow(time: Self.start + .seconds($0), value: 30)
        }
        let plan = SeriesPlan(period, points: 10, kept: Self.kept(messages: .seconds(86_400), hours: .seconds(86_400)))
        let limits = [LimitVersion(period: .distantPast ..< .distantFuture, minimum: nil, maximum: 240)]
        let series = SeriesBuilder(
            parameter: .temperature, periods: [period], plan: plan, points: 10, limits: limits,
            now: .distantFuture
        ).series(of: Self.messages(rows, in: period))
        #expect(series.points.map(\.isAfterGap) == [false, false, false, false, true, true])
        // 90 s to 390 s, 3,000 s to 3,300 s, 3,500 s to 3,600 s.
        #expect(series.statistics.outOfRange == .seconds(390 + 300 + 100))
        #expect(series.points.count == 6)
    }

    /// A pause is a gap if it is longer than the pauses that were usual at its time, whatever the rest of the span is
    /// like.
    @Test func gapsAreThoseOfTheirOwnTime() {
        func gaps(_ pauses: [Int]) -> [Int] {
            var time = Self.start
            let rows = ([0] + pauses).map { pause in
                time = time + .seconds(pause)
                return SeriesRow(time: time, value: 20)
            }
            let period = Self.start..<time + .seconds(1)
            let plan = SeriesPlan(
                period, points: rows.count, kept: Self.kept(messages: .seconds(86_400), hours: .seconds(86_400)))
            let points = SeriesBuilder(
                parameter: .temperature, periods: [period], plan: plan, points: rows.count, limits: [],
                now: .distantFuture
            ).series(of: Self.messages(rows, in: period)).points
            return points.indices.filter { points[$0].isAfterGap }
        }
        let (slow, fast) = (Array(repeating: 900, count: 40), Array(repeating: 2, count: 4_000))
        #expect(gaps(slow) == [1, 2], "the first two pauses tell nothing yet")
        #expect(gaps(slow + fast) == [1, 2])
        #expect(gaps(fast + slow) == [4_001, 4_002, 4_003])
        // Five hours without a reading are a gap, though the device once sent every two hours.
        #expect(gaps(Array(repeating: 7_200, count: 30) + fast + [18_000] + fast) == [1, 2, 4_031])
        #expect(gaps(fast + [3_000, 4_000, 5_000] + fast) == [4_001, 4_002, 4_003])
        #expect(gaps(slow + [5_000] + slow) == [1, 2, 41])
        // Three readings, twenty seconds apart, once an hour.
        let sleeper = Array(repeating: [20, 20, 3_560], count: 12).flatMap(\.self)
        #expect(gaps(sleeper) == [3, 6])
    }

    /// The mean is weighted by time: a device that sends faster during an alarm does not change it.
    @Test func meansAreWeighedByTime() {
        let period = Self.start..<Self.start + .seconds(7_200)
        let calm = stride(from: 0, to: 3_600, by: 60).map { SeriesRow(time: Self.start + .seconds($0), value: 20) }
        let trouble = stride(from: 3_600, to: 7_200, by: 5).map {
            SeriesRow(time: Self.start + .seconds($0), value: 30)
        }
        let plan = SeriesPlan(period, points: 1, kept: Self.kept(messages: .seconds(86_400), hours: .seconds(86_400)))
        let series = SeriesBuilder(
            parameter: .temperature, periods: [period], plan: plan, points: 1, limits: [], now: .distantFuture
        ).series(of: Self.messages(calm + trouble, in: period))
        #expect(series.statistics.mean == 25)
        #expect(series.points.map(\.mean) == [25])
    }

    /// Values measured before the person had limits are not judged.
    @Test func timeWithoutLimitsIsNotJudged() {
        let period = Self.start..<Self.start + .seconds(1_200)
        let rows = [0, 300, 600, 900].map { SeriesRow(time: Self.start + .seconds($0), value: 30) }
        let limits = [
            LimitVersion(period: Self.start + .seconds(600)..<Self.start + .seconds(700), minimum: nil, maximum: 240),
            LimitVersion(period: Self.start + .seconds(700) ..< .distantFuture, minimum: nil, maximum: 310),
        ]
        let plan = SeriesPlan(period, points: 10, kept: Self.kept(messages: .seconds(86_400), hours: .seconds(86_400)))
        let series = SeriesBuilder(
            parameter: .temperature, periods: [period], plan: plan, points: 10, limits: limits, now: .distantFuture
        ).series(of: Self.messages(rows, in: period))
        #expect(series.statistics.outOfRange == .seconds(100), "and changed limits judge what holds from their time on")
    }

    /// The value before a part holds into it, and the pauses before it tell what was usual.
    @Test func whatWasBeforeAPartIsKnown() {
        let start = Self.start + .seconds(36_000)
        let period = start..<start + .seconds(3_600)
        let before = (1...8).map { SeriesRow(time: start - .seconds(900 * $0 - 400), value: 30) }
        let rows = [SeriesRow(time: start + .seconds(2_700), value: 20)]
        let plan = SeriesPlan(period, points: 10, kept: Self.kept(messages: .seconds(86_400), hours: .seconds(86_400)))
        let series = SeriesBuilder(
            parameter: .temperature, periods: [period], plan: plan, points: 10,
            limits: [LimitVersion(period: .distantPast ..< .distantFuture, minimum: nil, maximum: 240)],
            now: .distantFuture
        ).series(of: [SeriesPart(span: .zero, period: period, rows: rows, before: before)])
        // The last value, 500 s before the part, holds for three times 900 s.
        #expect(series.statistics.outOfRange == .seconds(2_200))
        #expect(series.longestGap == .seconds(2_700))
    }

    @Test(
        arguments: [
            (.seconds(43_200), 2_000, HistoryResolution.message, .seconds(30)),
            (.seconds(43_200), 100, .message, .seconds(600)),
            (.seconds(43_200), 1, .message, .seconds(43_200)),
            (.seconds(30 * 86_400), 2_000, .hour, .seconds(3_600)),
            (.seconds(30 * 86_400), 100, .hour, .seconds(28_800)),
            (.seconds(4_000 * 86_400), 2_000, .day, .seconds(2 * 86_400)),
        ] as [(Duration, Int, HistoryResolution, Duration)])
    func thePlanReadsNoMoreThanItMust(
        _ span: Duration, _ points: Int, _ resolution: HistoryResolution, _ step: Duration
    ) {
        let plan = SeriesPlan(
            Self.start - span..<Self.start, points: points,
            kept: Self.kept(messages: .seconds(90 * 86_400), hours: .seconds(800 * 86_400)))
        #expect(plan.resolution == resolution)
        #expect(plan.step == step)
    }

    /// A young instance has no days older than its hours: a year is read from hours.
    @Test func whatIsYoungComesFromHours() {
        let (kept, year) = (
            Self.kept(messages: .seconds(3 * 86_400), hours: .seconds(20 * 86_400)),
            Self.start - .seconds(360 * 86_400)..<Self.start
        )
        func resolution(_ older: OlderRollUps, _ period: Range<Timestamp>) -> HistoryResolution {
            SeriesPlan(period, points: 2_000, kept: kept, older: older).resolution
        }
        #expect(resolution(OlderRollUps(thanMessages: true, thanHours: true), year) == .day)
        #expect(resolution(OlderRollUps(thanMessages: true, thanHours: false), year) == .hour)
        let week = Self.start - .seconds(7 * 86_400)..<Self.start
        #expect(resolution(OlderRollUps(thanMessages: true, thanHours: true), week) == .hour)
        #expect(resolution(OlderRollUps(thanMessages: false, thanHours: false), week) == .message)
    }

    @Test func whatIsDeletedIsReadFromRollUps() {
        let plan = SeriesPlan(
            Self.start - .seconds(100 * 86_400)..<Self.start - .seconds(99 * 86_400), points: 2_000,
            kept: Self.kept(messages: .seconds(90 * 86_400), hours: .seconds(800 * 86_400)))
        #expect(plan == SeriesPlan(resolution: .hour, step: .seconds(3_600)))
    }
}

extension SeriesPlan {
    fileprivate init(resolution: HistoryResolution, step: Duration) {
        self.init(
            Timestamp(microseconds: 0)..<Timestamp(microseconds: 1), points: 1,
            kept: KeptHistory(
                messagesSince: .distantPast, hoursSince: .distantPast, rolledUpUntil: .distantPast,
                judgedSince: .distantPast,
                outsideSince: .distantPast, due: []))
        self.resolution = resolution
        self.step = step
    }
}
