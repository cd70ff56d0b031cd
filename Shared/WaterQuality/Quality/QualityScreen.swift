package import Instants

/// Tells from the roll-ups of a parameter's hours whether `QualityReview` can find anything among their values. What it lets pass
/// needs no look at the values themselves.
package struct QualityScreen: Sendable {
    private struct Hour {
        var start: Timestamp
        var least: Float
        var greatest: Float
    }

    private static let hour = Duration.seconds(3_600)
    private let thresholds: QualityThresholds
    /// The hours with values that a run may reach over, and the last one whenever that was.
    private var recent: [Hour] = []
    /// Whether there may be something to find.
    package private(set) var hasSuspicion = false

    package init(_ thresholds: QualityThresholds) {
        self.thresholds = thresholds
    }

    /// Takes the next hour that has values.
    package mutating func add(_ start: Timestamp, least: Float, greatest: Float) {
        guard !hasSuspicion else { return }
        let hour = Hour(start: start, least: least, greatest: greatest)
        hasSuspicion = !isPlausible(hour) || isUneven(hour)
        let reach = (thresholds.flat?.suspect ?? .zero) - thresholds.gap
        recent.removeAll { start - $0.start >= max(reach, Self.hour) }
        recent.append(hour)
        if isFlat() { hasSuspicion = true }
    }

    private func isPlausible(_ hour: Hour) -> Bool {
        thresholds.plausibleSpan.contains(hour.least) && thresholds.plausibleSpan.contains(hour.greatest)
    }

    /// Neighbours that make a spike or a jump lie in one hour, or in two with none between them.
    private func isUneven(_ hour: Hour) -> Bool {
        let last = recent.last ?? hour
        return Self.spread(min(last.least, hour.least), max(last.greatest, hour.greatest))
            > Double(min(thresholds.spike.suspect, thresholds.jump))
    }

    /// A run that has lasted for six hours fills five whole ones. No two of them that follow each other lack values, since two hours
    /// end a run: so of four that end with values, two have some, and all of these are the same.
    private func isFlat() -> Bool {
        guard let flat = thresholds.flat else { return false }
        let least = Int((flat.suspect - thresholds.gap) / thresholds.gap)
        guard recent.count >= max(1, least) else { return false }
        let (lowest, highest) = recent.reduce((Float.infinity, -Float.infinity)) {
            (min($0.0, $1.least), max($0.1, $1.greatest))
        }
        return Self.spread(lowest, highest) < Double(flat.tolerance)
    }

    /// In double precision, which no two floats are too far apart for.
    private static func spread(_ least: Float, _ greatest: Float) -> Double { Double(greatest) - Double(least) }
}
