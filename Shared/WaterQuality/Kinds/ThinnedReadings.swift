import Instants

/// The last readings of a parameter, oldest first, of which the first of each interval counts.
extension [Reading] {
    /// - Parameters:
    ///   - latest: The latest time that an earlier reading can rightly carry (`EventTime.latest`). A later one is void.
    ///   - interval: In microseconds.
    ///   - isPause: Whether nothing is known of the time between two readings that lie so far apart.
    ///   - isEnough: Whether medians that lie so far apart need no older ones.
    /// - Returns: Whether the reading counts: it is the first of its interval, and newer than the others.
    mutating func add(
        _ reading: Reading, latest: Timestamp, oneOfEach interval: Int64, isPause: (Duration) -> Bool,
        isEnough: (Duration) -> Bool
    ) -> Bool {
        func number(of time: Timestamp) -> Int64 {
            time.microseconds / interval - (time.microseconds % interval < 0 ? 1 : 0)
        }
        while let last, last.time > latest { removeLast() }
        if let last {
            guard number(of: reading.time) > number(of: last.time) else { return false }
            if isPause(reading.time - last.time) { removeAll(keepingCapacity: true) }
        }
        append(reading)
        while count > 3, isEnough(self[count - 2].time - self[1].time) { removeFirst() }
        return true
    }

    /// Of a reading and its neighbours.
    func median(at index: Int) -> Steps {
        let (one, two, three) = (self[index - 1].value, self[index].value, self[index + 1].value)
        return Swift.max(Swift.min(one, two), Swift.min(Swift.max(one, two), three))
    }
}
