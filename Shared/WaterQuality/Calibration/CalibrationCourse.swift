package import Instants

/// The comparisons of one probe's place over time, and what follows of them.
///
/// Raw readings stay what they are, and alarms are decided by them: a correction is another view of the same.
package struct CalibrationCourse: Sendable {
    /// By their times.
    package let comparisons: [Calibration]
    /// Apart from each other, by their times.
    private let corrections: [DriftCorrection]

    /// - Parameters:
    ///   - comparisons: In any order. Values by hand among them correct nothing: kits are worse than probes.
    ///   - criteria: By which an error is too great to be corrected; `nil`: none is.
    package init(_ comparisons: [Calibration], by criteria: CalibrationCriteria? = nil) {
        self.comparisons = comparisons.sorted { $0.at < $1.at }
        var corrections: [DriftCorrection] = []
        func correct(_ period: Range<Timestamp>, from left: ProbeResponse, to found: ProbeResponse) {
            guard ![left, found].contains(where: { criteria?.grade($0) == .unusable }) else { return }
            corrections.append(DriftCorrection(in: period, from: left, to: found))
        }
        var last: (left: ProbeResponse, at: Timestamp)?
        for comparison in self.comparisons where !comparison.isByHand {
            // Without a look at how it was found, nobody knows how it drifted.
            if let last, let found = comparison.found, last.at < comparison.at {
                correct(last.at..<comparison.at, from: last.left, to: found)
            }
            last = comparison.left.map { (left: $0, at: comparison.at) }
        }
        if let last { correct(last.at ..< .distantFuture, from: last.left, to: last.left) }
        self.corrections = corrections
    }

    /// A reading as it is without the drift.
    /// - Returns: `nil` where the drift of the time is not known.
    package func corrected(_ reading: Double, at time: Timestamp) -> Double? {
        var (low, high) = (0, corrections.count)
        while low < high {
            let middle = (low + high) / 2
            if corrections[middle].period.upperBound <= time { low = middle + 1 } else { high = middle }
        }
        return low < corrections.count ? corrections[low].corrected(reading, at: time) : nil
    }

    /// The last calibration, or the last probe.
    package var lastCalibration: Calibration? {
        comparisons.last { !$0.isByHand && ($0.kind == .calibrate || $0.kind == .replace) }
    }

    /// The last comparison that found how the present probe reads, by hand where nobody has used a standard.
    package var lastCheck: Calibration? {
        // What was found before it was replaced says something of the probe before.
        let checks = ofPresentProbe.filter { $0.kind != .replace && $0.found != nil }
        return checks.last { !$0.isByHand } ?? checks.last
    }

    /// The last comparison after which it is known how the present probe reads.
    var lastKnown: Calibration? { ofPresentProbe.last { !$0.isByHand && $0.left != nil } }

    private var ofPresentProbe: ArraySlice<Calibration> {
        comparisons[(comparisons.lastIndex { $0.kind == .replace } ?? 0)...]
    }
}
