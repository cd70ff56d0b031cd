import TestSupport
import Testing
import WaterQuality

/// Findings compared with a technician's later labels, in two rivers over nine months. Labels cover every corrected
/// value, including drifts, which no such test can see.
@Suite(.enabled(if: RecordedQuality.isHere, RecordedQuality.absence)) struct QualityScoreTests {
    /// The results of ioos_qc with one plain set of thresholds.
    private static let baseline:
        [(site: String, column: String, parameter: Parameter, recall: Double, precision: Double)] = [
            ("MainStreet", "temp", .temperature, 0.85, 0.33), ("MainStreet", "ph", .ph, 0.86, 0.05),
            ("Mendon", "temp", .temperature, 0.996, 0.94), ("Mendon", "ph", .ph, 0.83, 0.81),
        ]

    private struct Score {
        var (hits, alarms, labels) = (0, 0, 0)
        var recall: Double { Double(hits) / Double(labels) }
        var precision: Double { Double(hits) / Double(alarms) }

        init(_ series: [RecordedQuality.Labelled], _ flags: [QualityFlags]) {
            for (one, flags) in zip(series, flags) {
                let isFound = flags.finding != nil
                hits += isFound && one.isLabelled ? 1 : 0
                alarms += isFound ? 1 : 0
                labels += one.isLabelled ? 1 : 0
            }
        }
    }

    /// The table in FIGURES.md.
    @Test func moreIsFoundAndLessIsMistaken() throws {
        var table = ["series | recall | precision | before"]
        for (site, column, parameter, recall, precision) in Self.baseline {
            let series = try RecordedQuality.river(site, column)
            var review = QualityReview(parameter.qualityThresholds)
            for one in series { review.add(one.value, at: one.time) }
            let score = Score(series, review.flags)
            func text(_ share: Double) -> String { "\((share * 10_000).rounded() / 10_000)" }
            table.append(
                "\(site) \(column) | \(text(score.recall)) | \(text(score.precision)) | \(recall), \(precision)")
            #expect(score.recall > recall, "\(site) \(column): \(score.recall)")
            #expect(score.precision > precision, "\(site) \(column): \(score.precision)")
        }
        print(table.joined(separator: "\n"))
    }
}
