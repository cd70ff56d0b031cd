package import Instants

/// A comparison of a probe with something that is known: an entry of its calibration log, or a value by hand beside it.
package struct Calibration: Hashable, Sendable {
    /// What was done. The raw values are stored, and a promise to clients.
    package enum Kind: String, CaseIterable, Sendable, Encodable {
        /// Compared, and left as it was.
        case check
        case clean
        case calibrate
        /// Another probe took its place, whose course begins here.
        case replace
    }

    /// One standard, in the parameter's canonical unit, and what the probe read in it.
    package struct Point: Hashable, Sendable {
        package var standard: Double
        /// As it was found; `nil`: not noted.
        package var before: Double?
        /// As it was left, likewise.
        package var after: Double?

        package init(standard: Double, before: Double?, after: Double? = nil) {
            self.standard = standard
            self.before = before
            self.after = after
        }
    }

    /// The most points of one comparison.
    package static let mostPoints = 3

    package var kind: Kind
    package var at: Timestamp
    package var points: [Point]
    /// Whether the standard is a value by hand, which is worse than a standard.
    package var isByHand: Bool

    package init(_ kind: Kind, at time: Timestamp, _ points: [Point] = [], isByHand: Bool = false) {
        self.kind = kind
        at = time
        self.points = points
        self.isByHand = isByHand
    }

    /// The check that a value by hand is for the probe beside it. Of the step of a kit, which stands for all that looks like it, the nearest
    /// value counts: within it nothing is wrong.
    /// - Parameter reading: What the probe read, in the canonical unit.
    package init(by hand: HandValue, beside reading: Float, at time: Timestamp) {
        var standard = Double(hand.value)
        if hand.choice != nil {
            standard = max(Double(reading), hand.lower.map(Double.init) ?? -.infinity)
            standard = min(standard, hand.upper.map(Double.init) ?? .infinity)
        }
        self.init(.check, at: time, [Point(standard: standard, before: Double(reading))], isByHand: true)
    }

    /// How far apart a value by hand and the probe's may be in time.
    package static let beside = Duration.seconds(10 * 60)

    /// How the probe was found; `nil` where nobody noted it.
    package var found: ProbeResponse? { response(\.before) }

    /// How the probe was left; `nil` where that is not known. In a standard of which nobody noted it, a calibrated one reads what is there, and
    /// one that was cleaned what it read before.
    package var left: ProbeResponse? {
        switch kind {
        case .check: found
        case .clean: response { $0.after ?? $0.before }
        case .calibrate: response { $0.after ?? $0.standard } ?? .exact
        case .replace: response(\.after)
        }
    }

    private func response(_ reading: (Point) -> Double?) -> ProbeResponse? {
        ProbeResponse(points.compactMap { point in reading(point).map { (standard: point.standard, reading: $0) } })
    }
}
