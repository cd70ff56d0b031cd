package import Instants

/// The correction of a probe's readings between two comparisons, which takes its drift for even.
///
/// With one standard readings are shifted, with two they are stretched as well. Where the probe read the standards at the beginning, this is the
/// correction of driftR 1.1.0 (Shaughnessy et al. 2019); with an error at both ends of one standard that of USGS TM1-D3 (Wagner et al. 2006):
/// x' = x + Ds + (t - ts)(De - Ds)/(te - ts).
package struct DriftCorrection: Hashable, Sendable {
    /// One standard, and what the probe read in it at both ends.
    package struct Point: Hashable, Sendable {
        package var standard: Double
        package var left: Double
        package var found: Double

        package init(standard: Double, left: Double, found: Double) {
            self.standard = standard
            self.left = left
            self.found = found
        }

        func reading(_ fraction: Double) -> Double { left + fraction * (found - left) }
    }

    package let period: Range<Timestamp>
    private let points: [Point]

    /// - Parameter points: By their standards; of more than two the first and the last count. Without any, nothing is corrected.
    package init(in period: Range<Timestamp>, _ points: [Point]) {
        self.period = period
        self.points = points.count > 2 ? [points[0], points[points.count - 1]] : points
    }

    /// From how a probe was left to how it was found.
    init(in period: Range<Timestamp>, from left: ProbeResponse, to found: ProbeResponse) {
        self.init(
            in: period,
            found.points.map { Point(standard: $0.standard, left: left.reading(at: $0.standard), found: $0.reading) })
    }

    /// - Returns: `nil` outside of the period, and where the probe cannot tell its standards apart.
    package func corrected(_ reading: Double, at time: Timestamp) -> Double? {
        guard period.contains(time) else { return nil }
        let whole = (period.upperBound - period.lowerBound).inSeconds
        return corrected(reading, fraction: (time - period.lowerBound).inSeconds / whole)
    }

    /// - Parameter fraction: How much of the period is over, from 0 to 1.
    package func corrected(_ reading: Double, fraction: Double) -> Double? {
        guard let low = points.first, let high = points.last else { return reading }
        let offset = low.reading(fraction)
        let span = high.standard - low.standard
        guard span > 0 else { return reading + low.standard - offset }
        let stretch = (high.reading(fraction) - offset) / span
        guard stretch > Self.leastStretch else { return nil }
        return low.standard + (reading - offset) / stretch
    }

    /// A probe that shows less than a fifth of a difference is broken, and no correction mends it.
    private static let leastStretch = 0.2
}
