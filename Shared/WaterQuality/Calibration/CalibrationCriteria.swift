/// How good readings are by the error that was found. The raw values are a promise to clients.
package enum CalibrationGrade: String, CaseIterable, Sendable, Encodable {
    case excellent, good, fair, poor
    /// The readings are not to be published, however they are corrected.
    case unusable
}

/// What errors mean for a parameter, after USGS Techniques and Methods 1-D3 (Wagner et al. 2006). The percentages of conductivity are those of
/// AquaticRTools; all others are quoted as a convention, and no limit of anybody's follows of them.
package struct CalibrationCriteria: Hashable, Sendable {
    /// An error that is allowed: the greater of an amount, in the canonical unit, and a part of the standard.
    package struct Allowance: Hashable, Sendable {
        var amount = 0.0
        var percent = 0.0

        package func amount(at standard: Double) -> Double { max(amount, abs(standard) * percent / 100) }
    }

    package var excellent: Allowance
    package var good: Allowance
    package var fair: Allowance
    package var usable: Allowance

    /// The grade of an error.
    package func grade(_ deviation: Double, at standard: Double) -> CalibrationGrade {
        let error = abs(deviation) - Self.noise
        let allowed: [(Allowance, CalibrationGrade)] = [
            (excellent, .excellent), (good, .good), (fair, .fair), (usable, .poor),
        ]
        return allowed.first { error <= $0.0.amount(at: standard) }?.1 ?? .unusable
    }

    /// The worst of the points.
    package func grade(_ response: ProbeResponse) -> CalibrationGrade? {
        response.points.map { grade($0.deviation, at: $0.standard) }.max { $0.rank < $1.rank }
    }

    /// The noise of binary fractions: 7.2 - 7.0 is a little more than 0.2.
    private static let noise = 1e-9

    /// - Returns: `nil` for a parameter of which the report says nothing.
    package static func of(_ parameter: Parameter) -> CalibrationCriteria? {
        switch parameter {
        case .temperature:
            CalibrationCriteria(
                excellent: .init(amount: 0.2), good: .init(amount: 0.5),
                fair: .init(amount: 0.8), usable: .init(amount: 2))
        case .ph:
            CalibrationCriteria(
                excellent: .init(amount: 0.2), good: .init(amount: 0.5),
                fair: .init(amount: 0.8), usable: .init(amount: 2))
        case .conductivity:
            CalibrationCriteria(
                excellent: .init(percent: 3),
                good: .init(percent: 10), fair: .init(percent: 15), usable: .init(percent: 30))
        case .dissolvedOxygen:
            CalibrationCriteria(
                excellent: .init(amount: 0.3, percent: 5),
                good: .init(amount: 0.5, percent: 10), fair: .init(amount: 0.8, percent: 15),
                usable: .init(amount: 2, percent: 20))
        case .turbidity, .turbidityFNU:
            CalibrationCriteria(
                excellent: .init(amount: 0.5, percent: 5),
                good: .init(amount: 1, percent: 10), fair: .init(amount: 1.5, percent: 15),
                usable: .init(amount: 3, percent: 30))
        default: nil
        }
    }
}

extension CalibrationGrade {
    /// Greater is worse.
    fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
