package import Instants

/// When a probe is to be calibrated next, and why then.
package struct CalibrationDue: Hashable, Sendable {
    /// The raw values are a promise to clients.
    package enum Reason: String, CaseIterable, Sendable, Encodable {
        /// By its drift it reads less than well from then on.
        case drift
        /// A reminder asks for it.
        case reminder
        /// Keepers do it every month.
        case usual
    }

    package var at: Timestamp
    package var reason: Reason

    /// What keepers do.
    package static let usual = Duration.seconds(30 * 86_400)
}

extension CalibrationCourse {
    /// When the probe is to be calibrated next: once the bound of a good reading is reached, and no later than a reminder asks for it.
    /// - Parameter reminder: When a reminder asks for it. One that has not been ticked off since the probe was calibrated asks for another probe.
    /// - Returns: `nil` where nobody has ever calibrated it, and nothing asks for it.
    package func due(of parameter: Parameter, reminder: Timestamp?) -> CalibrationDue? {
        let last = lastCalibration?.at
        let asked = reminder.flatMap { $0 > last ?? .distantPast ? $0 : nil }
        let byRule =
            asked.map { CalibrationDue(at: $0, reason: .reminder) }
            ?? last.map { CalibrationDue(at: $0 + CalibrationDue.usual, reason: .usual) }
        let byDrift = goodUntil(of: parameter).map { CalibrationDue(at: $0, reason: .drift) }
        return [byDrift, byRule].compactMap(\.self).min { $0.at < $1.at }
    }

    /// The days after which a calibrated probe is to be calibrated again by its drift, to propose a reminder by.
    package func days(of parameter: Parameter) -> Int? {
        guard let drift = drift(of: parameter), drift.direction != .steady, let good = good(of: parameter) else {
            return nil
        }
        return Int(min(max(1, (good / abs(drift.perMonth) * 30).rounded()), Self.mostDays))
    }

    /// No buffer and no membrane lasts longer than half a year.
    private static let mostDays = 180.0

    private func goodUntil(of parameter: Parameter) -> Timestamp? {
        guard let drift = drift(of: parameter), drift.direction != .steady, let good = good(of: parameter),
            let last = lastKnown, let left = last.left
        else { return nil }
        let error = left.deviation * (drift.perMonth < 0 ? -1 : 1)
        let months = max(0, good - error) / abs(drift.perMonth)
        return last.at + .seconds(Int64((min(months, 1_200) * ProbeDrift.month.inSeconds).rounded()))
    }

    /// The error up to which readings are good, about where the probe was last looked at.
    private func good(of parameter: Parameter) -> Double? {
        guard let criteria = CalibrationCriteria.of(parameter), let points = lastCheck?.found?.points else {
            return nil
        }
        return points.map { criteria.good.amount(at: $0.standard) }.min()
    }
}
