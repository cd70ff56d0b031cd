import Instants

/// Whether a person's roll-ups of a device reach further back than what is finer.
struct OlderRollUps: Equatable, Sendable {
    /// Hours or days that are older than all messages.
    var thanMessages = true
    /// Days that are older than all hours.
    var thanHours = true

    func exist(than resolution: HistoryResolution) -> Bool {
        switch resolution {
        case .message: thanMessages
        case .hour: thanHours
        case .day: false
        }
    }
}

/// Which rows a series is made of, and how wide its points are.
struct SeriesPlan: Equatable, Sendable {
    var resolution: HistoryResolution
    /// The width of a point where there are more messages than wanted points.
    var step: Duration

    /// About the most rows that one series is made of. A device that sends every 30 seconds fills it in nine days.
    static let mostRows = 25_000

    /// The widths of points. Each begins at a multiple of itself since the Unix epoch, so that points stay where they
    /// are when the period moves on. One of the last two covers all times.
    private static let steps: [Duration] =
        [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1_200, 1_800].map { .seconds($0) }
        + [1, 2, 3, 4, 6, 8, 12].map { RollUpSchedule.hour * $0 }
        + [1, 2, 3, 5, 7, 10, 14, 30, 60, 90, 180, 365, 1_000, 40_000, 4_000_000].map { RollUpSchedule.day * $0 }

    /// - Parameters:
    ///   - period: Not empty, and not before the Unix epoch.
    ///   - points: The most points, at least one.
    ///   - older: Where nothing is older than what a resolution still holds, it tells all of the period: a young instance has no days
    ///     to fall back on.
    init(
        _ period: Range<Timestamp>, points: Int, kept: KeptHistory, older: OlderRollUps = OlderRollUps(),
        mostRows: Int = SeriesPlan.mostRows
    ) {
        let span = period.upperBound - period.lowerBound
        let resolution = HistoryResolution.allCases.first { resolution in
            span / resolution.step <= Double(mostRows)
                && (kept.begins(resolution) <= period.lowerBound || !older.exist(than: resolution))
        }
        self.resolution = resolution ?? .day
        let finest = self.resolution == .message ? .zero : self.resolution.step
        step =
            Self.steps.first { $0 >= finest && Self.count(of: $0, in: period) <= points }
            ?? RollUpSchedule.day * 4_000_000
    }

    private static func count(of step: Duration, in period: Range<Timestamp>) -> Int64 {
        let covered = period.upperBound.roundedUp(to: step) - period.lowerBound.roundedDown(to: step)
        return covered.wholeMicroseconds / step.wholeMicroseconds
    }
}
