package import Instants

/// When a station is asked again: by its own rhythm, and no more often than every fifteen minutes unless more is waiting.
package enum StationRhythm {
    package static let least = Duration.seconds(15 * 60)
    package static let longest = Duration.seconds(6 * 3_600)
    /// The longest pause after failures.
    package static let longestAfterFailure = Duration.seconds(24 * 3_600)
    /// The pause where more is waiting: of the same stretch, or what is new after a look back.
    package static let soon = Duration.seconds(60)

    /// - Parameters:
    ///   - times: The times of the values that an answer brought, of all series.
    ///   - newest: The newest value that is known.
    ///   - hasMore: Whether the source has more of what was asked for.
    package static func pause(times: [[Timestamp]], newest: Timestamp?, now: Timestamp, hasMore: Bool) -> Duration {
        if hasMore { return soon }
        let gaps = times.flatMap { series in
            zip(series.sorted().dropFirst(), series.sorted()).map { $0 - $1 }.filter { $0 > .zero }
        }.sorted()
        if !gaps.isEmpty { return min(max(gaps[gaps.count / 2], least), longest) }
        // Nothing came from which a rhythm shows: what has been quiet for long is asked more seldom.
        guard let newest, now > newest else { return least }
        let quiet = now - newest
        if quiet > .seconds(7 * 86_400) { return longest }
        return quiet > .seconds(86_400) ? .seconds(3_600) : least
    }

    /// - Parameters:
    ///   - failures: In a row, this one included.
    ///   - asked: The pause that the source asks for.
    package static func pause(afterFailures failures: Int, asked: Duration?) -> Duration {
        let doubled = least * (1 << max(0, min(failures - 1, 7)))
        return min(max(doubled, asked ?? .zero), longestAfterFailure)
    }
}
