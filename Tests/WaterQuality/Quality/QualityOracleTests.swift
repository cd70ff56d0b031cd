import Instants
import TestSupport
import Testing
import WaterQuality

/// Compares our flags for fourteen values with those of ioos_qc 3.0.0. Each difference is deliberate.
@Suite(.enabled(if: RecordedQuality.isHere, RecordedQuality.absence)) struct QualityOracleTests {
    /// The thresholds given in the heads of the file's columns.
    private static let thresholds = QualityThresholds(
        sensorSpan: -5...45, plausibleSpan: 0...36, spike: (suspect: 1, fail: 5), jump: 0, changePerHour: 0.05 * 3_600,
        flat: QualityThresholds.Flat(tolerance: 0.01, suspect: .seconds(60), fail: .seconds(120)),
        gap: .seconds(2 * 3_600))

    private static let columns: [(test: QualityTest, column: Int)] = [
        (.range, 2), (.spike, 4), (.rate, 5), (.flat, 6), (.gap, 7),
    ]

    /// Deliberate differences, by the index of the value.
    private static let deliberate: [(value: Int, test: QualityTest, ours: Int16, theirs: Int16, why: String)] = [
        (0, .rate, 2, 1, "the first value is compared with nothing"),
        (3, .spike, 2, 4, "-127 is beyond the sensor, and no spike of the water"),
        (3, .rate, 2, 3, "likewise no change of it"),
        (3, .flat, 2, 1, "nor a value that could be frozen"),
        (4, .rate, 1, 3, "what follows it is compared with what was before it"),
        (4, .flat, 3, 1, "nor does it end the run of what is the same before and after it"),
        (9, .spike, 1, 2, "a missing value does not hide the next neighbour"),
        (11, .rate, 3, 1, "nor a jump"),
        (12, .spike, 2, 3, "a neighbour that was three hours ago tells nothing"),
        (13, .rate, 2, 3, "85 is beyond the sensor"),
        (13, .flat, 2, 1, "likewise"),
    ]

    @Test func theFlagsAreThoseOfTheOracleButForWhatIsMeant() throws {
        let lines = try RecordedQuality.lines(of: "qc_oracle_ioos_qc_3.0.0.csv").dropFirst()
        #expect(lines.count == 14)
        // Flags as they are when values arrive: the oracle only looks back.
        var review = QualityReview(Self.thresholds, flagsWholeRuns: false)
        for fields in lines { review.add(Float(fields[1]), at: try #require(Timestamp(String(fields[0])))) }
        for (value, fields) in lines.enumerated() {
            for (test, column) in Self.columns {
                let (ours, theirs) = (review.flags[value][test].rawValue, try #require(Int16(fields[column])))
                let meant = Self.deliberate.first { $0.value == value && $0.test == test }
                #expect(
                    ours == meant?.ours ?? theirs && theirs == meant?.theirs ?? theirs,
                    "value \(value), \(test): \(ours), the oracle \(theirs); \(meant?.why ?? "not meant")")
            }
        }
    }
}
