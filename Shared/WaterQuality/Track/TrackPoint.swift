package import Instants

/// A kept position of a device, and when it was there.
package struct TrackPoint: Hashable, Sendable {
    package var time: Timestamp
    package var position: Position

    package init(time: Timestamp, position: Position) {
        self.time = time
        self.position = position
    }
}

/// Where a device was at the times of its readings, by its kept positions.
package struct TrackCourse: Sendable {
    /// Ascending in time.
    private var points: ArraySlice<TrackPoint> = []

    package init() {}

    /// Adds points later than all before.
    package mutating func add(_ later: [TrackPoint]) { points += later }

    /// The last point at or before a time; nil where the last was too long ago to say where the device was.
    package func position(at time: Timestamp) -> Position? {
        var (low, high) = (points.startIndex, points.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if points[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        guard low > points.startIndex, case let point = points[low - 1],
            time - point.time <= TrackThinning.holds + Self.patience
        else { return nil }
        return point.position
    }

    /// Forgets the points that hold for no time from this one on.
    package mutating func forget(before time: Timestamp) {
        let since = time - TrackThinning.holds - Self.patience
        points = points.drop { $0.time < since }
    }

    /// The pause of a device that says its position with each message: with the next one a kept position is renewed.
    package static let patience = Duration.seconds(300)
}
