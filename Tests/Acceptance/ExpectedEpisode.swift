import TestSupport

/// One episode that the recorded series should lead to.
struct ExpectedEpisode: Equatable, CustomStringConvertible {
    var parameter: String
    var side: String
    /// The beginning in minutes of the series, like `closedAt`.
    var openedAt: Int
    var closedAt: Int?
    var worst: Int
    var notifications: Int

    var description: String {
        "\(parameter) \(side) from \(openedAt) to \(closedAt.map(String.init) ?? "-") worst \(worst) "
            + "notified \(notifications)"
    }

    static func all(of rows: [Recorded.Row]) -> [ExpectedEpisode] {
        Recorded.columns.flatMap { column -> [ExpectedEpisode] in
            let readings = rows.compactMap { row in
                row.tenths[column.parameter].map { NaiveCalculation.Reading(time: row.minute, value: $0) }
            }
            let episodes = NaiveCalculation(minimum: column.minimum, maximum: column.maximum).episodes(readings)
            let notifications = NaiveCalculation.notifications(of: episodes, throttle: 30)
            return zip(episodes, notifications).map { episode, count in
                ExpectedEpisode(
                    parameter: column.parameter, side: episode.side, openedAt: episode.openedAt,
                    closedAt: episode.closedAt, worst: episode.worst, notifications: count)
            }
        }
    }
}
