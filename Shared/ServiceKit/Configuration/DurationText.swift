/// A length of time such as `500ms`, `90s`, `5 s`, `30m`, `2h` or `7d`; nil for anything else.
///
/// One whole number and one unit: a bare number is refused because its unit would be a guess.
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
