import Instants

/// Whether a person's roll-ups of a device reach further back than finer data.
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

/// The rows from which a series is made, and the width of its points.
struct SeriesPlan: Equatable, Sendable {
    var resolution: HistoryResolution
    /// The width of a point if there are more messages than wanted points.
    var step: Duration

    /// About the most rows for one series. A device that sends every 30 seconds has as many in nine days.
    static let mostRows = 25_000

    /// The widths of points. Each width's points begin at its multiples since the Unix epoch, so that they stay where
    /// they are when the period moves on. The last two cover any period.
    private static let steps: [Duration] =
        [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1_200, 1_800].map { .seconds($0) }
        + [1, 2, 3, 4, 6, 8, 12].map { RollUpSchedule.hour * $0 }
        + [1, 2, 3, 5, 7, 10, 14, 30, 60, 90, 180, 365, 1_000, 40_000, 4_000_000].map { RollUpSchedule.day * $0 }

    /// - Parameters:
    ///   - period: A period that is not empty and not before the Unix epoch.
    ///   - points: The most points, at least one.
    ///   - older: Whether older roll-ups exist: without them a resolution covers the whole period, even on a young
    ///     instance that has no days to fall back on.
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
