import Foundation
import Glibc
import TestSupport

/// The clock that devices, database and receivers share, in microseconds since 1970.
package func wallClock() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
}

/// Converts a time such as "2026-05-01T12:00:00.000001Z" to microseconds since 1970.
func microseconds(of text: String) throws -> Int {
    let parts = text.dropLast().split(separator: ".")
    guard text.hasSuffix("Z"), let whole = parts.first, parts.count <= 2,
        let date = try? Date("\(whole)Z", strategy: .iso8601),
        let fraction = Int((parts.count == 2 ? parts[1] : "").padding(toLength: 6, withPad: "0", startingAt: 0))
    else { throw TestSupportError("\(text) is no time") }
    return Int(date.timeIntervalSince1970) * 1_000_000 + fraction
}

/// The reverse, always with six digits of fraction.
func text(of microseconds: Int) -> String {
    let whole = Date(timeIntervalSince1970: Double(microseconds / 1_000_000))
    let fraction = String(microseconds % 1_000_000)
    return "\(whole.formatted(.iso8601).dropLast()).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)Z"
}
