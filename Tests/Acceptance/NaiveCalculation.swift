/// What the recorded series should lead to, calculated as plainly as possible and without a line of the product: whole
/// tenths, one loop for each parameter.
enum NaiveCalculation {
    /// An episode and how many notifications it got, all times in minutes of the series.
    struct Episode: Equatable, CustomStringConvertible {
        var parameter: String
        var side: String
        var openedAt: Int
        var closedAt: Int?
        var worst: Int
        var notifications: Int

        var description: String {
            "\(parameter) \(side) from \(openedAt) to \(closedAt.map(String.init) ?? "-") worst \(worst) "
                + "notified \(notifications)"
        }
    }

    static func episodes(_ rows: [Recorded.Row]) -> [Episode] {
        Recorded.columns.flatMap { column -> [Episode] in
            var found: [Episode] = []
            var isOpen = false
            var lastMinute = Int.min
            var lastNotification: Int?
            for row in rows {
                guard let value = row.tenths[column.parameter], row.minute > lastMinute else { continue }
                lastMinute = row.minute
                let side = value > column.maximum ? "high" : value < column.minimum ? "low" : nil
                if let side {
                    if isOpen, found[found.count - 1].side != side {
                        found[found.count - 1].closedAt = row.minute
                        isOpen = false
                    }
                    if !isOpen {
                        found.append(
                            Episode(
                                parameter: column.parameter, side: side, openedAt: row.minute, closedAt: nil,
                                worst: value, notifications: 0))
                        isOpen = true
                    }
                    let worst = found[found.count - 1].worst
                    found[found.count - 1].worst = side == "high" ? max(worst, value) : min(worst, value)
                    if lastNotification == nil || row.minute - lastNotification! >= 30 {
                        lastNotification = row.minute
                        found[found.count - 1].notifications += 1
                    }
                } else if isOpen {
                    // Back by one step: at the limit itself it is in range and the episode goes on.
                    let open = found[found.count - 1]
                    let isBack = open.side == "high" ? value <= column.maximum - 1 : value >= column.minimum + 1
                    if isBack {
                        found[found.count - 1].closedAt = row.minute
                        isOpen = false
                    }
                }
            }
            return found
        }
    }
}
