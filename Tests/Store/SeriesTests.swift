import Instants
import TestSupport
import Testing
import WaterQuality

@testable import Store

/// Series without a database: what is made of rows, and of which rows.
@Suite struct SeriesTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_593_600))

    private static func kept(messages: Duration, hours: Duration) -> KeptHistory {
        KeptHistory(
            messagesSince: start - messages, hoursSince: start - hours, rolledUpUntil: start, judgedSince: .distantPast,
            due: [])
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
        let series = builder.series(of: seen)

        #expect(series.points.count <= points)
        #expect(series.points.map(\.time) == series.points.map(\.time).sorted())
        #expect(Set(series.points.map(\.time)).count == series.points.count)
        #expect(series.points.reduce(0) { $0 + $1.count } == Int64(seen.count))
        // Every value is in the point of its time, between that point's extremes, and each extreme was measured then.
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
            let mean = own.reduce(0.0) { $0 + Double($1.least) } / Double(own.count)
            #expect(abs(point.mean - mean) < 1e-9)
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
        ).series(of: rows)

        // Microsecond by microsecond would take long: second by second, for rows whose time is whole seconds, is the same
        // as summing stretches; so stretches, in whole numbers.
        let gap = SeriesBuilder.longestGap(of: rows).wholeMicroseconds
        var expected: Int64 = 0
        for (index, row) in rows.enumerated() {
            let value = Int((row.least * 10).rounded())
            let isOut = row.time < half ? value < 200 || value > 240 : value > 220
            let next = index + 1 < rows.count ? rows[index + 1].time : period.upperBound
            if isOut { expected += min(next.microseconds - row.time.microseconds, gap) }
        }
        #expect(series.statistics.outOfRange.wholeMicroseconds == expected)
        #expect(series.statistics.undecided == .zero)
    }

    /// A message has its own flags, a point the worst of its messages; of roll-ups it is known what was found.
    @Test(arguments: [100, 2]) func pointsTellTheWorstOfTheirValues(points: Int) {
        let period = Self.start..<Self.start + .seconds(3_600)
        let plan = SeriesPlan(
            period, points: points, kept: Self.kept(messages: .seconds(86_400), hours: .seconds(86_400)))
        var builder = SeriesBuilder(
            parameter: .temperature, periods: [period], plan: plan, points: points, limits: [], now: .distantFuture)
        let values: [Float] = [21, 21.1, 24, 21, 21.1, 21, 21.1, 39, 21, 21.1]
        let rows = values.enumerated().map { SeriesRow(time: Self.start + .seconds(360 * $0), value: $1) }
        let series = builder.series(of: rows)
        if points == 100 {
            #expect(series.points.map(\.quality.rawValue) == [1, 1, 3, 1, 1, 1, 1, 4, 1, 1])
            #expect(series.points[2].finding == .spike && series.points[7].finding == .spike)
        } else {
            #expect(series.points.map(\.quality) == [.suspect, .fail])
            #expect(series.points.map(\.finding) == [.spike, .spike])
        }
        let hours = [SeriesRow(time: Self.start, span: .seconds(3_600), least: -127, greatest: 85, sum: 8, count: 2)]
        #expect(builder.series(of: hours).points.map(\.quality) == [.notEvaluated])
        builder.judgedSince = Self.start
        #expect(builder.series(of: hours).points.map(\.quality) == [.pass])
        builder.dueDays = [Self.start.roundedDown(to: RollUpSchedule.day)]
        #expect(builder.series(of: hours).points.map(\.quality) == [.notEvaluated])
        (builder.dueDays, builder.judgedUntil) = ([], Self.start)
        #expect(builder.series(of: hours).points.map(\.quality) == [.notEvaluated])
    }

    /// Hours that hold what was found, and messages: the worst of either, and how many.
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
        func points(_ rows: [SeriesRow]) -> [Series.Point] {
            SeriesBuilder(
                parameter: .temperature, periods: [period], plan: plan, points: 10, limits: [], now: .distantFuture,
                judgedSince: Self.start + hour
            ).series(of: rows).points
        }
        // Not judged; nothing found; three suspect jumps; a failed spike; too many to be judged.
        let rows = [row(0, nil), row(1, nil), row(2, 3 << 3 | 2), row(3, 1 << 3 | 5), row(4, 0)]
        #expect(points(rows).map(\.quality) == [.notEvaluated, .pass, .suspect, .fail, .notEvaluated])
        #expect(points(rows).map(\.finding) == [nil, nil, .rate, .spike, nil])
        #expect(points(rows).map(\.flaggedCount) == [0, 0, 3, 1, 0])
        (plan.resolution, plan.step) = (.hour, hour * 24)
        let messages = [19, 20, -127, 20].enumerated().map {
            SeriesRow(time: Self.start + hour * 5 + .seconds(600 * $0.offset), value: $0.element)
        }
        let all = points(rows + messages)
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
            // Changed in the middle of the last hour.
            LimitVersion(period: Self.start + hour * 3..<Self.start + hour * 3.5, minimum: nil, maximum: 240),
            LimitVersion(period: Self.start + hour * 3.5 ..< .distantFuture, minimum: nil, maximum: 210),
        ]
        let plan = SeriesPlan(period, points: 10, kept: Self.kept(messages: .zero, hours: .seconds(86_400)))
        let series = SeriesBuilder(
            parameter: .temperature, periods: [period], plan: plan, points: 10, limits: limits,
            now: .distantFuture
        ).series(of: [row(0, 20, 24), row(1, 19, 21), row(2, 24.1, 25), row(3, 22, 23)])
        #expect(series.statistics.outOfRange == hour * 1.5)
        #expect(series.statistics.undecided == hour)
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
        ).series(of: rows)
        #expect(series.longestGap == .seconds(300))
        // 90 to 390, 3,000 to 3,300, 3,500 to 3,600
        #expect(series.statistics.outOfRange == .seconds(390 + 300 + 100))
        #expect(series.points.count == 6)
    }

    /// A device that sends every quarter of an hour, and then every two seconds, was never silent; one that sends every two
    /// seconds, and is away three times running, was.
    @Test func anIntervalThatChangesIsNoGap() {
        func gap(_ intervals: [Int]) -> Duration {
            var time = Self.start
            let rows = [0] + intervals
            return SeriesBuilder.longestGap(
                of: rows.map {
                    time = time + .seconds($0)
                    return SeriesRow(time: time, value: 20)
                })
        }
        let (slow, fast) = (Array(repeating: 900, count: 40), Array(repeating: 2, count: 400))
        #expect(gap(slow + fast) == .seconds(2_700))
        #expect(gap(fast + slow) == .seconds(2_700))
        #expect(gap(fast + slow.prefix(6) + fast) == .seconds(2_700))
        #expect(gap(fast + [3_000, 4_000, 5_000] + fast) == .seconds(300))
        #expect(gap(fast + [3_000, 2, 4_000, 2, 5_000, 2, 6_000, 7_000] + fast) == .seconds(300))
        #expect(gap(slow + [5_000] + slow) == .seconds(2_700))
        #expect(gap([700, 800, 900, 1_000, 1_100, 1_200, 1_300, 1_400] + fast) == .seconds(2_700))
    }

    /// What was measured before the person had limits is judged by their first, as the engine judges it.
    @Test func theFirstLimitsHoldForWhatWasBefore() {
        let period = Self.start..<Self.start + .seconds(1_200)
        let rows = [0, 300, 600, 900].map { SeriesRow(time: Self.start + .seconds($0), value: 30) }
        let limits = [
            LimitVersion(period: Self.start + .seconds(600)..<Self.start + .seconds(900), minimum: nil, maximum: 240),
            LimitVersion(period: Self.start + .seconds(900) ..< .distantFuture, minimum: nil, maximum: 310),
        ]
        let plan = SeriesPlan(period, points: 10, kept: Self.kept(messages: .seconds(86_400), hours: .seconds(86_400)))
        let series = SeriesBuilder(
            parameter: .temperature, periods: [period], plan: plan, points: 10, limits: limits, now: .distantFuture
        ).series(of: rows)
        #expect(series.statistics.outOfRange == .seconds(900))
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
                judgedSince: .distantPast, due: []))
        self.resolution = resolution
        self.step = step
    }
}
