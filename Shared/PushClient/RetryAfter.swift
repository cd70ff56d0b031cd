package import Instants

/// The header `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date.
package enum RetryAfter {
    /// A receiver of alerts that asks for more is asked again after this time, well before the alert is stale.
    package static let longest = Duration.seconds(600)

    /// - Returns: At least zero and at most `longest`; nil when the text is neither.
    package static func delay(_ text: String, now: Timestamp, longest: Duration = Self.longest) -> Duration? {
        let words = text.split(separator: " ")
        let delay: Duration
        if words.count == 1, words[0].utf8.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }) {
            delay = Int64(words[0]).map { .seconds($0) } ?? longest
        } else if let time = date(words) {
            delay = time - now
        } else {
            return nil
        }
        return min(max(delay, .zero), longest)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The one form that may be sent: `Sun, 06 Nov 1994 08:49:37 GMT`. Who sends one of the two obsolete ones is
    /// treated as if the header were missing.
    private static func date(_ words: [Substring]) -> Timestamp? {
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), let year = Int(words[3]),
            let month = months.firstIndex(of: String(words[2]))
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3,
            let civil = CivilTime(
                year: year, month: month + 1, day: day, hour: clock[0], minute: clock[1], second: clock[2])
        else { return nil }
        return Timestamp(civil)
    }
}
