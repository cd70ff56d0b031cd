package import Instants

/// A stretch of time with both its ends, one of which may be open.
package struct TimeSpan: Hashable, Sendable {
    /// The first moment; the distant past where the beginning is open.
    package let from: Timestamp
    /// The last moment; the distant future where the end is open.
    package let until: Timestamp

    /// All of time.
    package static let always = TimeSpan(from: .distantPast, until: .distantFuture)

    private init(from: Timestamp, until: Timestamp) {
        (self.from, self.until) = (from, until)
    }

    /// Reads what OGC API Features calls `datetime` (17-069r4, 7.15.4): a moment, or two with a slash between them, of which one may be open, `..` or
    /// nothing. A moment is a time by RFC 3339, or a day, which is meant from its beginning to its end in UTC.
    /// - Returns: nil for anything else, for two open ends, and for what ends before it begins.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        switch parts.count {
        case 1:
            guard let moment = Self.moment(parts[0]) else { return nil }
            (from, until) = (moment.first, moment.last)
        case 2:
            let open = parts.map { $0.isEmpty || $0 == ".." }
            let moments = parts.map(Self.moment)
            guard open != [true, true], zip(open, moments).allSatisfy({ $0 || $1 != nil }) else { return nil }
            from = moments[0]?.first ?? .distantPast
            until = moments[1]?.last ?? .distantFuture
        default: return nil
        }
        guard from <= until else { return nil }
    }

    package func contains(_ time: Timestamp) -> Bool { (from...until).contains(time) }

    /// Reads back as the same.
    package var text: String {
        "\(from == .distantPast ? ".." : from.iso8601)/\(until == .distantFuture ? ".." : until.iso8601)"
    }

    private static func moment(_ text: String) -> (first: Timestamp, last: Timestamp)? {
        if let day = CivilDay(text) {
            let begin = Timestamp(day.at(minutes: 0))
            return (begin, begin + .seconds(86_400) - .microseconds(1))
        }
        return Timestamp(iso8601: text.utf8.span).map { ($0, $0) }
    }
}
