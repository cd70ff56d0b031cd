import Routes
import WaterQuality

/// Limits to try, as a request names them: `6.6,6.7,none`.
enum TriedLimits {
    /// Most limits that one request tries: those that a person sees on the wheel of values, and the next ones.
    static let most = 25

    private static let one = #"(none|-?[0-9]{1,7}(\.[0-9]{1,6})?)"#

    static let format = Format<[RangeChange.Limit]>.reading(
        "limits", example: "22.5,23,none", count: 1...(most * 16), pattern: "^\(one)(,\(one)){0,\(most - 1)}$"
    ) { text throws(Fault) in
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= most else { throw .pattern }
        var limits: [RangeChange.Limit] = []
        for part in parts {
            guard let limit = limit(part) else { throw .pattern }
            limits.append(limit)
        }
        return limits
    }

    private static func limit(_ text: Substring) -> RangeChange.Limit? {
        if text == "none" { return RangeChange.Limit.none }
        var digits = text.utf8
        if digits.first == UInt8(ascii: "-") { digits = digits.dropFirst() }
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let whole = parts.first, isNumber(whole, most: 7), parts.count <= 2,
            parts.count == 1 || isNumber(parts[1], most: 6)
        else { return nil }
        return Double(text).map { .value($0) }
    }

    private static func isNumber(_ digits: Substring.UTF8View, most: Int) -> Bool {
        (1...most).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The ranges to try: one of the two lists may have several limits. A limit that is not given stays as it is.
    /// - Throws: `Problem` at the invalid input.
    static func ranges(
        _ range: PersonalRange, minimum: Input<[RangeChange.Limit]?>, maximum: Input<[RangeChange.Limit]?>,
        in inputs: Inputs
    ) throws(Problem) -> [SafeRange] {
        let minima: [RangeChange.Limit?] = inputs[minimum] ?? [nil]
        let maxima: [RangeChange.Limit?] = inputs[maximum] ?? [nil]
        guard minima.count == 1 || maxima.count == 1 else { throw Problem(maximum, .oneList) }
        var ranges: [SafeRange] = []
        for low in minima {
            for high in maxima {
                let tried = try RangeChange(minimum: low, maximum: high)
                    .applied(to: range, minimum: minimum, maximum: maximum, unit: minimum)
                do throws(SafeRange.Fault) {
                    ranges.append(try SafeRange(range.parameter, minimum: tried.minimum, maximum: tried.maximum))
                } catch {
                    throw Problem(minimum, .limitsCross)
                }
            }
        }
        return ranges
    }
}

extension Fault {
    static let oneList = Fault("one-list")
}
