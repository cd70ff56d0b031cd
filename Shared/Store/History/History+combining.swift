import Instants

extension [History] {
    /// Combines points until all histories together have at most this many different times, in steps of usual lengths.
    /// - Returns: The histories and the step; nil for the step if nothing was combined.
    package func combined(to points: Int) -> (histories: [History], step: Duration?) {
        func times(in step: Duration?) -> Int {
            Set(flatMap(\.points).map { step.map($0.time.roundedDown(to:)) ?? $0.time }).count
        }
        guard times(in: nil) > Swift.max(points, 1), let first else { return (self, nil) }
        let steps = History.steps.filter { $0 > first.resolution.step || first.resolution == .message }
        let step = steps.first { times(in: $0) <= points } ?? steps[steps.count - 1]
        return (map { $0.combined(in: step) }, step)
    }
}

extension History {
    /// Steps from a minute to eight years, each a multiple of most of those before it.
    fileprivate static let steps: [Duration] =
        [1, 2, 5, 10, 15, 30].map { .seconds($0 * 60) } + [1, 2, 3, 4, 6, 8, 12].map { .seconds($0 * 3_600) }
        + (0...11).map { .seconds(86_400 << $0) }

    fileprivate func combined(in step: Duration) -> History {
        let parts = points.map { point in
            var part = point
            part.time = point.time.roundedDown(to: step)
            return (part.time, part)
        }
        return History(
            resolution: resolution,
            points: Dictionary(parts, uniquingKeysWith: +).values.sorted { $0.time < $1.time })
    }
}
