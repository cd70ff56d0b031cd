import Instants
import WaterQuality

/// What a replay did.
struct ReplayReport: Report {
    var rows: Int
    var published: Int
    var acknowledged: Int
    /// Rows with a time and nothing measured.
    var empty: Int
    /// Invalid rows.
    var skipped: Int
    /// Invalid cells of rows that count.
    var skippedCells: Int
    /// The first and the last time of the file, as they were understood.
    var earliest: String
    var latest: String
    var stopped: Bool

    private enum CodingKeys: String, CodingKey {
        case rows, published, acknowledged, empty, skipped, skippedCells, earliest, latest, stopped
    }

    init(_ survey: Recording.Survey, _ tally: ReplayPublisher.Tally) {
        rows = survey.rows
        published = tally.published
        acknowledged = tally.acknowledged
        empty = survey.empty
        skipped = survey.faults
        skippedCells = survey.badCells
        earliest = survey.earliest?.iso8601 ?? ""
        latest = survey.latest?.iso8601 ?? ""
        stopped = tally.wasStopped
    }

    var text: String {
        let summary =
            "\(rows) rows from \(earliest) to \(latest): \(published) published, \(acknowledged) acknowledged, "
            + "\(empty) without values, \(skipped) skipped, \(skippedCells) cells skipped."
        return stopped ? "\(summary) Stopped before the end." : summary
    }
}
