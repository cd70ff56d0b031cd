/// The seven classes of change of a parameter: fell or rose, each a little, clearly or greatly, or the same.
///
/// They are fixed for each parameter, and not drawn from what a map shows: the same colour means the same tomorrow. A great change is half of what lies
/// between the default limits, or what the catalogue says; clear is half of that, and a little a seventh, each the nearest of 1, 2 and 5 with zeros.
package struct ChangeScale: Equatable, Sendable {
    package enum Class: Int, CaseIterable, Sendable {
        case fellGreatly = -3
        case fell, fellALittle, same, roseALittle, rose, roseGreatly
    }

    /// From where on a change counts as a little, as clear and as great, in the parameter's canonical unit; ascending.
    package let bounds: [Double]
    /// Digits of the parameter's sensor, to which changes are rounded before they are judged.
    private let decimals: Int
    private let step: Double

    package init(of parameter: Parameter) {
        bounds = [7, 2, 1].map { Self.roundNumber(nearest: parameter.facts.greatChange / $0) }
        decimals = parameter.facts.decimals
        step = 1 / Double(parameter.stepsPerUnit)
    }

    /// The class of a change.
    /// - Parameters:
    ///   - difference: In the canonical unit.
    ///   - noise: What may come of chance alone. Neither that nor two sensor steps tell a change.
    package func `class`(of difference: Double, noise: Double) -> Class {
        let told = DecimalRounding.rounded(difference, decimals: decimals)
        guard told.magnitude >= max(noise, 2 * step) - step / 1_000 else { return .same }
        let rank = bounds.count { told.magnitude >= $0 - step / 1_000 }
        return Class(rawValue: told < 0 ? -rank : rank) ?? .same
    }

    /// The bounds as a person is told them, as far as `scale` has equal differences for equal ones.
    package func bounds(in scale: UnitScale) -> [Double]? {
        scale.factor.map { factor in bounds.map { $0 * factor.magnitude } }
    }

    /// The nearest of 1, 2 and 5 with zeros, by ratio.
    static func roundNumber(nearest wished: Double) -> Double {
        var power = 1.0
        while power > wished { power /= 10 }
        while power * 10 <= wished { power *= 10 }
        let candidates = [1, 2, 5, 10].map { $0 * power }
        let nearest = candidates.min { ($0 / wished).ratio < ($1 / wished).ratio } ?? wished
        return DecimalRounding.rounded(nearest, decimals: DecimalRounding.mostDecimals)
    }
}

extension Double {
    /// How far from 1 it is, whichever way.
    fileprivate var ratio: Double { Swift.max(self, 1 / self) }
}
