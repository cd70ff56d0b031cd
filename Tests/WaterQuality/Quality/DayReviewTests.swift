import Instants
import TestSupport
import Testing

@testable import WaterQuality

/// The findings kept of a day's values, and the days that are skipped because their hours rule out findings.
@Suite struct DayReviewTests {
    private static let day = Timestamp(unixSeconds: Int64(1_704_067_200))

    private struct Value {
        var time: Timestamp
        var value: Float
    }

    /// Two and a half days of water, in which nothing, little or much is wrong.
    private static func water(
        _ parameter: Parameter, from start: Timestamp, drifts: Bool = true, _ random: inout SeededGenerator
    ) -> [Value] {
        let thresholds = parameter.qualityThresholds
        let (span, step) = (thresholds.plausibleSpan, 1 / Float(parameter.stepsPerUnit))
        let usual = [30, 300, 900, 2_400, 7_000].randomElement(using: &random) ?? 300
        let shares: [Double] = [0, 0, 0.001, 0.02]
        let oddities = shares.randomElement(using: &random) ?? 0
        let movements: [Float] = [0, drifts ? step / 40 : 0, step, thresholds.jump / 8]
        let movement = movements.randomElement(using: &random) ?? 0
        var value = Float.random(in: span, using: &random)
        var time = start
        var frozen = start
        var values: [Value] = []
        while time < start + .seconds(62 * 3_600) {
            if time >= frozen { value += Float.random(in: -1...1, using: &random) * movement }
            value = min(max(value, span.lowerBound), span.upperBound)
            var told = value
            if Double.random(in: 0..<1, using: &random) < oddities {
                switch Int.random(in: 0..<7, using: &random) {
                case 0: told += thresholds.spike.suspect * Float.random(in: 0.9...1.1, using: &random)
                case 1: told -= thresholds.spike.suspect * Float.random(in: 0.9...1.1, using: &random)
                case 2: told = -127
                case 3: value += thresholds.jump * Float.random(in: 0.9...1.1, using: &random)
                case 4: frozen = time + .seconds(3_600 * Int.random(in: 4...13, using: &random))
                case 5: time = time + .seconds(3_600 * Int.random(in: 1...4, using: &random))
                default: told = Bool.random(using: &random) ? .greatestFiniteMagnitude : -.greatestFiniteMagnitude
                }
            }
            values.append(Value(time: time, value: told))
            time = time + .microseconds(Int64(usual) * Int64.random(in: 700_000...1_300_000, using: &random))
        }
        return values
    }

    private static func hasSuspicion(_ values: [Value], _ parameter: Parameter) -> Bool {
        var screen = QualityScreen(parameter.qualityThresholds)
        var hours: [(start: Int64, least: Float, greatest: Float)] = []
        for value in values {
            let start = value.time.microseconds / 3_600_000_000
            if hours.last?.start == start {
                hours[hours.count - 1].least = min(hours[hours.count - 1].least, value.value)
                hours[hours.count - 1].greatest = max(hours[hours.count - 1].greatest, value.value)
            } else {
                hours.append((start, value.value, value.value))
            }
        }
        for hour in hours {
            screen.add(
                Timestamp(microseconds: hour.start * 3_600_000_000), least: hour.least, greatest: hour.greatest)
        }
        return screen.hasSuspicion
    }

    /// The main property: a day that is skipped by its hours has no findings.
    @Test(arguments: 0..<8) func whatPassesByItsHoursHasNothingToBeFound(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var passed = 0
        for parameter in Parameter.allCases {
            for _ in 0..<6 {
                let window = DayReview.window(of: Self.day)
                let values = Self.water(parameter, from: window.lowerBound - .seconds(3_600), &random)
                    .filter { window.contains($0.time) }
                guard !Self.hasSuspicion(values, parameter) else { continue }
                passed += 1
                var review = DayReview(of: Self.day, parameter.qualityThresholds)
                for value in values { review.add(value.value, at: value.time) }
                #expect(review.found.isEmpty, "\(parameter): \(review.found)")
            }
        }
        #expect(passed > 10, "calm water is not looked at")
    }

    /// One series for each rule of the screen.
    @Test(arguments: [
        ("a spike within an hour", [20.0, 20.1, 21.1, 20.1, 20.1], 600),
        ("a spike in an hour of its own", [20, 20.1, 21.1, 20.1, 20.1], 3_600),
        ("a jump over a pause", [20, 20.1, 20.1, 33, 33.1], 10_000),
        ("beyond water", [39.9, 40.1, 39.9], 600),
        ("frozen, with pauses", [Double](repeating: 21, count: 5), 7_100),
    ]) func everyFindingIsSuspectedByTheHours(_ name: String, _ values: [Double], _ seconds: Int) {
        for offset in 0..<12 {
            let start = Self.day + .seconds(3_600 + 300 * offset)
            let water = values.enumerated().map {
                Value(time: start + .seconds(seconds * $0.offset), value: Float($0.element))
            }
            var review = DayReview(of: Self.day, Parameter.temperature.qualityThresholds)
            for value in water { review.add(value.value, at: value.time) }
            #expect(!review.found.isEmpty, "\(name)")
            #expect(Self.hasSuspicion(water, .temperature), "\(name), \(offset)")
        }
    }

    /// A day judged by its window has the same flags as with all values. The tests look no further, except for the last
    /// good value, and for the start of a run in water that drifts by less than the tolerance; these series have
    /// neither.
    @Test(arguments: 0..<8) func aDayIsJudgedAsAllOfItsTime(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for parameter in [Parameter.temperature, .ph, .nitrate] {
            var thresholds = parameter.qualityThresholds
            thresholds.jump = .infinity
            let start = Self.day - .seconds(5 * 86_400)
            var values = Self.water(parameter, from: start, drifts: false, &random)
            for day in 1...3 {
                values += Self.water(parameter, from: start + .seconds(62 * 3_600 * day), drifts: false, &random)
                    .filter { [last = values.last!.time] in $0.time > last }
            }
            var whole = QualityReview(thresholds)
            for value in values { whole.add(value.value, at: value.time) }
            var expected: [Int: FlaggedValues] = [:]
            for (value, flags) in zip(values, whole.flags) {
                let hour = (value.time.microseconds - Self.day.microseconds) / 3_600_000_000
                guard value.time >= Self.day, hour < 24, let flagged = FlaggedValues(flags) else { continue }
                expected[Int(hour), default: .notEvaluated].add(flagged)
            }
            var review = DayReview(of: Self.day, thresholds)
            for value in values where DayReview.window(of: Self.day).contains(value.time) {
                review.add(value.value, at: value.time)
            }
            #expect(review.found == expected, "\(parameter)")
        }
    }

    @Test func hoursTellHowManyValuesAreFlaggedAndTheWorst() {
        var review = DayReview(of: Self.day, Parameter.temperature.qualityThresholds)
        let values: [Float] = [20, 20.1, 21, 20.1, 20, 27, 20, 20.1]
        for (index, value) in values.enumerated() {
            // The first two values belong to the day before.
            review.add(value, at: Self.day + .seconds(900 * (index - 2)))
        }
        #expect(review.found.keys.sorted() == [0])
        let hour = review.found[0]
        #expect(hour?.count == 2 && hour?.quality == .fail && hour?.finding == .spike)
        #expect(hour?.rawValue == 21)
    }

    @Test func whatIsStoredComesBack() throws {
        for flag in [QualityFlag.suspect, .fail] {
            for test in [QualityTest.range, .spike, .rate, .flat] {
                var flags = QualityFlags(.pass)
                flags[test] = flag
                var found = try #require(FlaggedValues(flags))
                for _ in 1..<7 { found.add(try #require(FlaggedValues(flags))) }
                #expect(found.count == 7 && found.quality == flag && found.finding == test)
                #expect(FlaggedValues(rawValue: found.rawValue) == found)
                #expect(found.rawValue >> 3 == 7)
            }
        }
        #expect(FlaggedValues(QualityFlags(.pass)) == nil && FlaggedValues(rawValue: 0) == .notEvaluated)
        #expect([-1, 3, 7].allSatisfy { FlaggedValues(rawValue: $0) == nil })
    }

    /// The order of additions does not matter.
    @Test func theWorstCountsThenTheFirstTest() throws {
        let all = try [12, 13, 14, 9, 10, 11, 0].map { try #require(FlaggedValues(rawValue: $0)) }
        var random = SeededGenerator(seed: 7)
        for _ in 0..<50 {
            var sum = FlaggedValues.notEvaluated
            for found in all.shuffled(using: &random) { sum.add(found) }
            #expect(sum.count == 6 && sum.quality == .fail && sum.finding == .range)
        }
    }

    /// The thresholds on which the screen and the window rely.
    @Test func thresholdsKeepWithinTheReachOfADay() {
        for thresholds in Parameter.allCases.map(\.qualityThresholds) {
            #expect(thresholds.sensorSpan.contains(thresholds.plausibleSpan.lowerBound))
            #expect(thresholds.sensorSpan.contains(thresholds.plausibleSpan.upperBound))
            #expect(thresholds.gap == .seconds(7_200))
            guard let flat = thresholds.flat else { continue }
            #expect(flat.fail + thresholds.gap <= DayReview.reach && flat.suspect <= flat.fail)
            #expect(flat.suspect == .seconds(6 * 3_600))
        }
    }
}
