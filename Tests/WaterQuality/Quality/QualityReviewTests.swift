import Instants
import TestSupport
import Testing
import WaterQuality

/// Findings of the QARTOD tests. Times are minutes.
@Suite struct QualityReviewTests {
    private static let start = Timestamp(unixSeconds: Int64(1_704_067_200))

    private static let thresholds = QualityThresholds(
        sensorSpan: -40...40, plausibleSpan: -2.5...36, spike: (suspect: 0.5, fail: 5), jump: 2, changePerHour: 1,
        flat: QualityThresholds.Flat(tolerance: 0.005, suspect: .seconds(3_600), fail: .seconds(7_200)),
        gap: .seconds(7_200))

    private func review(
        _ values: [Float?], every minutes: Int = 15, _ thresholds: QualityThresholds = thresholds, whole: Bool = true
    ) -> [QualityFlags] {
        var review = QualityReview(thresholds, flagsWholeRuns: whole)
        for (index, value) in values.enumerated() {
            review.add(value, at: Self.start + .seconds(60 * minutes * index))
        }
        return review.flags
    }

    private func flags(_ test: QualityTest, _ found: [QualityFlags]) -> [Int16] { found.map { $0[test].rawValue } }

    @Test func whatNoSensorMeasuresFailsAloneAndItsNeighboursDoNot() {
        let found = review([25, 25.1, -127, 25, 25.1])
        #expect(flags(.range, found) == [1, 1, 4, 1, 1])
        #expect(flags(.spike, found) == [2, 1, 2, 1, 2] && flags(.rate, found) == [2, 1, 2, 1, 1])
        #expect(found.map(\.overall) == [.pass, .pass, .fail, .pass, .pass])
        #expect(found[2].finding == .range)
        #expect(flags(.range, review([36, 36.1, -2.5, -2.6])) == [1, 3, 1, 3])
    }

    @Test func whatStandsOutIsASpikeOnceItsNeighboursAreKnown() {
        #expect(flags(.spike, review([20, 21, 20])) == [2, 3, 2])
        #expect(flags(.spike, review([20, 26, 20])) == [2, 4, 2])
        #expect(flags(.spike, review([20, 20.4, 20])) == [2, 1, 2])
        #expect(flags(.spike, review([20, 21, 22, 21.9])) == [2, 1, 1, 2], "a slope is none")
        #expect(flags(.spike, review([20, 21])) == [2, 2], "not yet known")
        #expect(
            flags(.spike, review([20, 21, 20], every: 121)) == [2, 2, 2], "neighbours that are far away tell nothing")
    }

    /// A jump is suspect until the water could have changed that much, or has returned. Later values are compared with
    /// the last good one.
    @Test func waterDoesNotJump() {
        #expect(flags(.rate, review([20, 22.2, 22.3, 20, 20.1])) == [2, 1, 1, 3, 1])
        #expect(flags(.rate, review([13.8, 0, 0, 13.3])) == [2, 3, 3, 1])
        let stays = review([20] + Array(repeating: Float(23), count: 6))
        #expect(flags(.rate, stays) == [2, 3, 3, 3, 1, 1, 1], "an hour later it can be so")
    }

    @Test func whatIsMissingIsMissingAndHidesNothing() {
        let found = review([25, nil, .nan, 30])
        #expect(found.map(\.overall) == [.pass, .missing, .missing, .suspect])
        #expect(flags(.rate, found) == [2, 9, 9, 3] && flags(.gap, found) == [1, 1, 1, 1])
    }

    @Test func whatDoesNotChangeIsFrozenFromItsBeginning() {
        let values: [Float] = [20, 21] + Array(repeating: 21.3, count: 9) + [21.4]
        #expect(flags(.flat, review(values, whole: false)) == [1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 4, 1])
        #expect(flags(.flat, review(values)) == [1, 1, 4, 4, 4, 4, 4, 4, 4, 4, 4, 1])
        #expect(flags(.flat, review(Array(values.dropLast(2)))) == [1, 1, 3, 3, 3, 3, 3, 3, 3, 3])
        let calm: [Float] = (0..<12).map { 21 + Float($0 % 2) / 100 }
        #expect(flags(.flat, review(calm)).allSatisfy { $0 == 1 }, "it moves by more than the tolerance")
        #expect(flags(.flat, review(Array(repeating: 21, count: 9), every: 121)).allSatisfy { $0 == 1 }, "pauses")
    }

    /// A run is judged by its duration, not by its number of values, so that a probe that sends often is not called
    /// frozen.
    @Test(arguments: [1, 5, 15, 30]) func thresholdsAreDurations(minutes: Int) {
        let found = review(Array(repeating: 21, count: 180 / minutes), every: minutes, whole: false)
        #expect(found.firstIndex { $0[.flat] == .suspect } == 60 / minutes)
        #expect(found.firstIndex { $0[.flat] == .fail } == 120 / minutes)
    }

    @Test func aPauseIsNotTheValuesFault() {
        var review = QualityReview(Self.thresholds)
        review.add(20, at: Self.start)
        review.add(20.1, at: Self.start + .seconds(7_201))
        #expect(review.flags.map { $0[.gap] } == [.pass, .fail])
        #expect(review.flags.map(\.overall) == [.pass, .pass] && review.flags[1].finding == nil)
    }

    /// Findings never depend on later values, except those of spikes and whole runs.
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64]) func findingsAreCausal(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let values = (0..<300).map { _ in
            Bool.random(using: &generator) ? Float(21) : Float.random(in: -60...60, using: &generator)
        }
        let all = review(values, whole: false)
        for count in stride(from: 1, through: 300, by: 37) {
            let part = review(Array(values.prefix(count)), whole: false)
            for test in QualityTest.allCases where test != .spike {
                #expect(flags(test, part) == Array(flags(test, all).prefix(count)))
            }
            #expect(flags(.spike, part).dropLast(40) == flags(.spike, all).prefix(count).dropLast(40))
        }
    }

    @Test func everyParameterHasThresholdsThatHoldItsDefaults() throws {
        for parameter in Parameter.allCases {
            let thresholds = parameter.qualityThresholds
            #expect(thresholds.jump > 0 && thresholds.changePerHour > 0)
            #expect(thresholds.spike.suspect < thresholds.spike.fail, "\(parameter)")
            for limit in [parameter.defaults.minimum, parameter.defaults.maximum].compactMap({ $0 }) {
                #expect(thresholds.plausibleSpan.contains(parameter.value(of: limit)))
            }
        }
        // Ammonia is best at zero, and stays there for weeks.
        #expect(Parameter.ammonia.qualityThresholds.flat == nil && Parameter.temperature.qualityThresholds.flat != nil)
    }

    @Test func theWorstFindingCounts() {
        var flags = QualityFlags(.pass)
        #expect(flags.overall == .pass && flags.finding == nil)
        flags[.flat] = .suspect
        flags[.gap] = .fail
        #expect(flags.overall == .suspect && flags.finding == .flat)
        flags[.range] = .fail
        #expect(flags.overall == .fail && flags.finding == .range)
        #expect(QualityFlags(.notEvaluated).overall == .notEvaluated)
        #expect(QualityFlag.allCases.map(\.rawValue) == [1, 2, 3, 4, 9])
    }
}
