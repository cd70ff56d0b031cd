import Instants

/// How fast a probe drifts, by at least three looks at it.
package struct ProbeDrift: Hashable, Sendable {
    /// Whether it reads higher and higher. The raw values are a promise to clients.
    package enum Direction: String, CaseIterable, Sendable, Encodable {
        case higher, lower
        /// Less than half a step of the sensor in a month.
        case steady
    }

    /// In the canonical unit, in 30 days; above zero it reads higher and higher.
    package var perMonth: Double
    package var direction: Direction
    /// How many looks it was made of.
    package var checks: Int
    /// Whether values by hand are among them.
    package var usesHandValues: Bool

    package static let month = Duration.seconds(30 * 86_400)
    package static let leastChecks = 3
    /// Looks within fewer days say more of themselves than of the probe.
    package static let shortest = Duration.seconds(7 * 86_400)
}

extension CalibrationCourse {
    /// The drift of the present probe: the slope of the line through its errors.
    ///
    /// Errors grow from calibration to calibration. Put on end, with what each calibration took away added again, they are what they would be
    /// had nobody calibrated. Standards count alone where there are enough of them; else values by hand as well.
    package func drift(of parameter: Parameter) -> ProbeDrift? {
        drift(of: parameter, by: comparisons.filter { !$0.isByHand }) ?? drift(of: parameter, by: comparisons)
    }

    private func drift(of parameter: Parameter, by comparisons: [Calibration]) -> ProbeDrift? {
        let course = UnrolledErrors(comparisons)
        guard course.checks >= ProbeDrift.leastChecks, let slope = course.slopePerSecond else { return nil }
        let perMonth = slope * ProbeDrift.month.inSeconds
        let isSteady = abs(perMonth) * Double(parameter.stepsPerUnit) < 0.5
        return ProbeDrift(
            perMonth: perMonth, direction: isSteady ? .steady : perMonth > 0 ? .higher : .lower,
            checks: course.checks, usesHandValues: course.usesHandValues)
    }
}

/// Errors of a probe as they would be had nobody calibrated it, since it came or since somebody calibrated it without a look at it before.
private struct UnrolledErrors {
    private(set) var checks = 0
    private(set) var usesHandValues = false
    private var errors: [(at: Timestamp, error: Double)] = []
    /// How much calibrations have taken away so far.
    private var removed = 0.0

    init(_ comparisons: [Calibration]) {
        for comparison in comparisons { add(comparison) }
    }

    private mutating func add(_ comparison: Calibration) {
        let left = comparison.left
        guard comparison.kind != .replace, let found = comparison.found else {
            self = UnrolledErrors([])
            if let left { errors = [(comparison.at, left.deviation)] }
            return
        }
        errors.append((comparison.at, found.deviation + removed))
        checks += 1
        usesHandValues = usesHandValues || comparison.isByHand
        let standards = found.points.map(\.standard)
        if let left { removed += found.deviation - left.deviation(at: standards) }
    }

    /// By least squares.
    var slopePerSecond: Double? {
        guard let first = errors.first, let last = errors.last, last.at - first.at >= ProbeDrift.shortest else {
            return nil
        }
        let times = errors.map { ($0.at - first.at).inSeconds }
        let count = Double(errors.count)
        let (time, error) = (times.reduce(0, +) / count, errors.map(\.error).reduce(0, +) / count)
        let spread = times.map { ($0 - time) * ($0 - time) }.reduce(0, +)
        return zip(times, errors).map { ($0 - time) * ($1.error - error) }.reduce(0, +) / spread
    }
}
