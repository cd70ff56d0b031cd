/// The relation of a value by hand to a person's limits. The raw values are told outside.
package enum HandFinding: String, CaseIterable, Sendable {
    case low, high
    /// Within the limits; or a step of which a part is.
    case inRange
    /// The person has no limit.
    case noLimit

    package var side: Side? {
        switch self {
        case .low: .low
        case .high: .high
        case .inRange, .noLimit: nil
        }
    }
}

extension HandValue {
    /// Judges a number as a reading is judged, and a step by all of what looks like it: it is beyond a limit only where none of that is within.
    /// - Parameter range: `nil` where the person has no limits.
    package func finding(by range: SafeRange?) -> HandFinding {
        guard let range, range.minimum != nil || range.maximum != nil else { return .noLimit }
        return side(beyond: range.limit).map { $0 == .low ? .low : .high } ?? .inRange
    }

    /// Whether it is beyond the person's critical limit, likewise.
    package func isCritical(by band: CriticalBand) -> Bool { side(beyond: band.limit) != nil }

    private func side(beyond limit: (Side) -> Steps?) -> Side? {
        Side.allCases.first { side in limit(side).map { isBeyond($0, on: side) } ?? false }
    }

    private func isBeyond(_ limit: Steps, on side: Side) -> Bool {
        guard choice != nil else {
            let steps = parameter.steps(of: value)
            return side == .high ? steps > limit : steps < limit
        }
        // Half-way between two numbers of a card is often half a sensor step, which is not rounded away.
        let edge = side == .high ? lower : upper
        guard let edge else { return false }
        let distance = Double(edge) * Double(parameter.stepsPerUnit) - Double(limit.count)
        return side == .high ? distance > Self.noise : distance < -Self.noise
    }

    /// The noise of 32-bit numbers, in sensor steps.
    private static let noise = 1e-3
}
