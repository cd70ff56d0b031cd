/// Reads a duration such as `500ms`, `90s`, `5 s`, `30m`, `2h` or `7d`; nil for anything else.
///
/// The text is one whole number and one unit: a bare number is refused because its unit would be a guess.
package func parseDuration(_ text: String) -> Duration? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == "-") }
    guard let number = Int64(digits) else { return nil }
    let millisecondsPerUnit: Int64? =
        switch String(text.dropFirst(digits.count)).trimmed {
        case "ms": 1
        case "s": 1_000
        case "m", "min": 60_000
        case "h": 3_600_000
        case "d": 86_400_000
        default: nil
        }
    guard let millisecondsPerUnit else { return nil }
    let (milliseconds, overflow) = number.multipliedReportingOverflow(by: millisecondsPerUnit)
    return overflow ? nil : .milliseconds(milliseconds)
}

/// The shortest text that `parseDuration` reads back, in the largest unit that divides the duration; whole
/// milliseconds.
package func durationText(_ duration: Duration) -> String {
    let milliseconds = duration.wholeMilliseconds
    let units: [(milliseconds: Int64, name: String)] = [
        (86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1_000, "s"),
    ]
    guard milliseconds != 0, let unit = units.first(where: { milliseconds % $0.milliseconds == 0 }) else {
        return milliseconds == 0 ? "0s" : "\(milliseconds)ms"
    }
    return "\(milliseconds / unit.milliseconds)\(unit.name)"
}

extension Duration {
    /// The duration in milliseconds, saturating 292 million years away, which `parseDuration` reads as well.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return Int64(clamping: Int128(seconds) * 1_000 + Int128(attoseconds / 1_000_000_000_000_000))
    }
}
