/// Rounds to decimal digits, halves away from zero, and ignores the noise of binary fractions: 293.15, which a `Double`
/// stores as a little less, becomes 293.2. The web app rounds in the same way (`rounded` in `app/scales.js`).
package enum DecimalRounding {
    /// The tolerance for binary noise: far less than any unit shows, and more than the conversions' errors.
    private static let noise = 1e-9
    private static let powers: [Double] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 1e7, 1e8]
    static let mostDecimals = 8

    /// The value in units of the last digit.
    /// - Parameter decimals: The number of decimals, 0 to `mostDecimals`.
    static func count(_ value: Double, decimals: Int) -> Int64 {
        guard value.isFinite else { return value > 0 ? .max : value < 0 ? -.max : 0 }
        let magnitude = (value.magnitude * powers[decimals] + 0.5 + noise).rounded(.down)
        let count = Int64(min(magnitude, 1e15))
        return value < 0 ? -count : count
    }

    static func value(of count: Int64, decimals: Int) -> Double { Double(count) / powers[decimals] }

    package static func rounded(_ value: Double, decimals: Int) -> Double {
        guard value.isFinite else { return value }
        return Self.value(of: count(value, decimals: decimals), decimals: decimals)
    }
}
