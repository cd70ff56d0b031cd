/// Reads a number of bytes such as `100GB`, `1.5 TB` or `512GiB`; nil for anything else, and for zero or less.
///
/// kB, MB, GB and TB count by 1000, as disk makers do; KiB, MiB, GiB and TiB by 1024. A bare number is refused because
/// its unit would be a guess.
package func parseByteSize(_ text: String) -> Int64? {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let amount = Double(number) else { return nil }
    let unit: Double? =
        switch text.dropFirst(number.count).lowercased().trimmed {
        case "b": 1
        case "kb": 1e3
        case "mb": 1e6
        case "gb": 1e9
        case "tb": 1e12
        case "kib": 1024
        case "mib": 1024 * 1024
        case "gib": 1024 * 1024 * 1024
        case "tib": 1024 * 1024 * 1024 * 1024
        default: nil
        }
    guard let unit, amount * unit >= 1, amount * unit < 1e18 else { return nil }
    return Int64(amount * unit)
}

/// The size in the largest fitting unit (by 1000), with three digits: `12.3 GB`.
package func byteSizeText(_ bytes: Double) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"]
    var amount = bytes
    var unit = 0
    while amount.magnitude >= 999.5, unit < units.count - 1 {
        amount /= 1000
        unit += 1
    }
    let decimals = unit == 0 || amount.magnitude >= 99.95 ? 0 : amount.magnitude >= 9.995 ? 1 : 2
    let scale = [1.0, 10, 100][decimals]
    let rounded = Int64((amount * scale).rounded())
    guard decimals > 0 else { return "\(rounded) \(units[unit])" }
    let digits = String(rounded.magnitude % Int64(scale).magnitude)
    let fraction = String(repeating: "0", count: decimals - digits.count) + digits
    return "\(rounded < 0 ? "-" : "")\(rounded.magnitude / Int64(scale).magnitude).\(fraction) \(units[unit])"
}
