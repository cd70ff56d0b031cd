package import Instants

/// How far a value has moved, and in what time.
package struct ValueChange: Hashable, Sendable {
    /// Above zero where it rose.
    package var by: Steps
    /// The value that it has reached.
    package var to: Steps
    /// The event times between which it moved.
    package var since: Timestamp
    package var until: Timestamp

    package init(by: Steps, to: Steps, since: Timestamp, until: Timestamp) {
        self.by = by
        self.to = to
        self.since = since
        self.until = until
    }

    package var within: Duration { until - since }

    /// The change in an hour. What took less than an hour counts in full and is never extrapolated: half a degree in a
    /// minute is half a degree.
    package var perHour: Steps {
        let hour = RecentReadings.hour.wholeMicroseconds
        return Steps(Int32(clamping: Int64(by.count) * hour / max(hour, within.wholeMicroseconds)))
    }
}

/// The last readings of a parameter, as far as they tell how much it has changed within an hour.
///
/// Values are compared as running medians of three readings (Tukey, Exploratory Data Analysis, 1977, chapter 7: the smoother
/// "3"), which one glitch, however far out, does not move. The newest median is compared with the least and the greatest of
/// the hour before it. Of readings that come more often than once a minute the first of each minute counts, so that
/// memory is bounded and glitches that last for seconds are one. A reading that comes after a newer one does not count, as in
/// every decision. The state follows from the readings of the last `reach` alone and from the order in which they came, so
/// that it can be read again from what is stored.
package struct RecentReadings: Hashable, Sendable {
    static let hour = Duration.seconds(3_600)
    /// How far two values may lie apart: an hour, and as much more as the pace of a device that sends once an hour varies.
    /// After a longer pause nothing is known of the change.
    package static let window = Duration.seconds(65 * 60)
    /// The readings that matter are not older than this: a window between the medians, and one on each side for the readings
    /// that make them.
    package static let reach = window * 3
    private static let minute: Int64 = 60_000_000

    /// Oldest first, without a pause among them that is longer than the window; 68 at most.
    private var readings: [Reading] = []

    package init() {}

    package var count: Int { readings.count }

    /// - Parameter latest: The latest time that an earlier reading can rightly carry (`EventTime.latest`). A later one is void.
    /// - Returns: Whether the reading counts: it is the first of its minute, and newer than the others.
    package mutating func add(_ reading: Reading, latest: Timestamp = .distantFuture) -> Bool {
        readings.add(
            reading, latest: latest, oneOfEach: Self.minute, isPause: { $0 > Self.window },
            isEnough: { $0 > Self.window })
    }

    /// The greatest change up to the newest median; `nil` where there are not three readings to tell.
    /// - Parameter start: Readings before it do not count: somebody else's water.
    package func change(since start: Timestamp = .distantPast) -> ValueChange? {
        let newest = readings.count - 2
        guard newest >= 1, readings[newest - 1].time >= start else { return nil }
        let (value, time) = (readings.median(at: newest), readings[newest].time)
        var greatest = ValueChange(by: Steps(0), to: value, since: time, until: time)
        for index in stride(from: newest - 1, through: 1, by: -1) where readings[index - 1].time >= start {
            let change = ValueChange(
                by: Steps(value.count - readings.median(at: index).count), to: value, since: readings[index].time,
                until: time)
            if abs(change.perHour.count) > abs(greatest.perHour.count) { greatest = change }
        }
        return greatest
    }
}

extension Reminders {
    /// Changes from before the last alert are no longer in the window by then, so that a reminder tells of more.
    package static let ofChange = Reminders(interval: RecentReadings.window, longest: .seconds(86_400))
}
