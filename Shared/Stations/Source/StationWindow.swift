package import Instants

/// The stretch of time that a station is asked for.
package struct StationWindow: Hashable, Sendable {
    package let from: Timestamp
    /// nil: until now.
    package let to: Timestamp?

    /// Whether it looks back at values that were taken, for what the source has corrected or added since: the newest first.
    package let looksBack: Bool

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

    /// How often a station is looked back at.
    static let lookBackEvery = Duration.seconds(6 * 3_600)

    /// The stretch that is looked back at, once in each quarter of a day (UTC): a day up to the newest value, and nothing from before the station was named.
    /// - Parameters:
    ///   - seenUntil: The newest value of all; nil at the first question.
    ///   - fetchedAt: The last answer.
    ///   - setAt: When the owner named the station.
    /// - Returns: nil: there is nothing to look back at now.
    package static func back(
        from seenUntil: Timestamp?, fetchedAt: Timestamp?, setAt: Timestamp, now: Timestamp
    ) -> StationWindow? {
        guard let seenUntil, let fetchedAt, fetchedAt < now.roundedDown(to: lookBackEvery), seenUntil <= now else {
            return nil
        }
        let from = max(seenUntil - longest, now - furthest, setAt + .seconds(1))
        return from < seenUntil ? StationWindow(from: from, to: seenUntil + .seconds(1), looksBack: true) : nil
    }

    private init(from: Timestamp, to: Timestamp?, looksBack: Bool = false) {
        self.looksBack = looksBack
        // Whole seconds, which every service reads.
        self.from = Timestamp(microseconds: from.microseconds / 1_000_000 * 1_000_000)
        self.to = to.map { Timestamp(microseconds: $0.microseconds / 1_000_000 * 1_000_000) }
    }
}
