package import Instants

/// The stretch of time that a station is asked for.
package struct StationWindow: Hashable, Sendable {
    package let from: Timestamp
    /// nil: until now.
    package let to: Timestamp?

    /// The longest stretch of one question, which bounds its answer.
    package static let longest = Duration.seconds(86_400)
    /// The time back to which values are wanted: older ones decide nothing any more.
    static let furthest = Duration.seconds(7 * 86_400 - 3_600)
    /// The lag behind the others up to which a series is waited for.
    static let patience = Duration.seconds(6 * 3_600)

    /// - Parameters:
    ///   - seenUntil: The newest value of all, or until when there was none; nil at the first question, which is for a day.
    ///   - newest: The newest value of each series that is shown.
    package init(seenUntil: Timestamp?, newest: [Timestamp], now: Timestamp) {
        guard let seenUntil, seenUntil <= now else {
            self.init(from: now - Self.longest, to: nil)
            return
        }
        let waited = newest.filter { $0 > seenUntil - Self.patience }
        let from = max(min(seenUntil, waited.min() ?? seenUntil), now - Self.furthest)
        self.init(from: from, to: now - from > Self.longest ? from + Self.longest : nil)
    }

    private init(from: Timestamp, to: Timestamp?) {
        // Whole seconds, which every service reads.
        self.from = Timestamp(microseconds: from.microseconds / 1_000_000 * 1_000_000)
        self.to = to.map { Timestamp(microseconds: $0.microseconds / 1_000_000 * 1_000_000) }
    }
}
