package import Instants

/// Tells from the roll-ups of a parameter's hours whether `QualityReview` could flag any of their values. If not, the
/// values need not be read.
package struct QualityScreen: Sendable {
    private struct Hour {
        var start: Timestamp
        var least: Float
        var greatest: Float
    }

    private static let hour = Duration.seconds(3_600)
    private let thresholds: QualityThresholds
    /// The recent hours with values that a run may span, and always the last one.
    private var recent: [Hour] = []
    /// Whether `QualityReview` could flag a value.
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

    /// Whether neighbouring values may make a spike or a jump. Neighbours lie in one hour, or in two hours without
    /// values between.
    private func isUneven(_ hour: Hour) -> Bool {
        let last = recent.last ?? hour
        return Self.spread(min(last.least, hour.least), max(last.greatest, hour.greatest))
            > Double(min(thresholds.spike.suspect, thresholds.jump))
    }

    /// Whether values may form a flat run. A run of six hours fills five whole ones. Two consecutive hours without
    /// values would end it, so of four hours that end with values at least two have some, and all of these are equal.
    private func isFlat() -> Bool {
        guard let flat = thresholds.flat else { return false }
        let least = Int((flat.suspect - thresholds.gap) / thresholds.gap)
        guard recent.count >= max(1, least) else { return false }
        let (lowest, highest) = recent.reduce((Float.infinity, -Float.infinity)) {
            (min($0.0, $1.least), max($0.1, $1.greatest))
        }
        return Self.spread(lowest, highest) < Double(flat.tolerance)
    }

    /// The difference in double precision, which does not overflow for any two floats.
    private static func spread(_ least: Float, _ greatest: Float) -> Double { Double(greatest) - Double(least) }
}
