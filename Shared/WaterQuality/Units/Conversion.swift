/// The conversion of a canonical unit's values to another unit.
enum Conversion: Sendable {
    /// The value times `factor` plus `offset`. No value lies below the canonical value `from`.
    case linear(factor: Double, offset: Double = 0, from: Double = -.infinity)
    case curve(Curve)

    static let same = linear(factor: 1)

    /// - Returns: `nil` where the formula does not hold. NaN and infinities pass through.
    func fromCanonical(_ value: Double) -> Double? {
        switch self {
        case .linear(let factor, let offset, let least):
            value < least ? nil : value * factor + offset
        case .curve(let curve): curve.value(at: value)
        }
    }

    /// - Returns: `nil` where the formula does not hold. NaN and infinities pass through.
    func toCanonical(_ value: Double) -> Double? {
        switch self {
        case .linear(let factor, let offset, let least):
            value < least * factor + offset ? nil : (value - offset) / factor
        case .curve(let curve): curve.argument(of: value)
        }
    }
}

/// An increasing formula, and the range of canonical values for which it holds.
struct Curve: Sendable {
    let range: ClosedRange<Double>
    private let values: ClosedRange<Double>
    private let formula: @Sendable (Double) -> Double
    private let inverse: @Sendable (Double) -> Double

    /// - Parameters:
    ///   - least: The least value, if it is not that of the least canonical one.
    ///   - inverse: The inverse formula; without one the formula is solved numerically.
    init(
        over range: ClosedRange<Double>, from least: Double? = nil,
        _ formula: @escaping @Sendable (Double) -> Double, inverse: (@Sendable (Double) -> Double)? = nil
    ) {
        self.range = range
        self.formula = formula
        self.inverse = inverse ?? { Self.argument(range, ofIncreasing: formula, at: $0) }
        values = (least ?? formula(range.lowerBound))...formula(range.upperBound)
    }

    func value(at canonical: Double) -> Double? {
        if canonical.isNaN { return canonical }
        return range.contains(canonical) ? formula(canonical) : nil
    }

    func argument(of value: Double) -> Double? {
        if value.isNaN { return value }
        guard values.contains(value) else { return nil }
        return min(max(inverse(value), range.lowerBound), range.upperBound)
    }

    /// Solves an increasing formula for a value in `range` by bisection, to the last digits of a `Double`.
    static func argument(
        _ range: ClosedRange<Double>, ofIncreasing formula: (Double) -> Double, at value: Double
    ) -> Double {
        var (low, high) = (range.lowerBound, range.upperBound)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            guard middle > low, middle < high else { break }
            if formula(middle) < value { low = middle } else { high = middle }
        }
        return high
    }
}
