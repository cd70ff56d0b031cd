/// The expected episodes of one parameter's series, calculated as plainly as possible and without the product's code:
/// whole numbers, one loop.
package struct NaiveCalculation: Sendable {
    /// Limits in sensor steps.
    package var minimum: Int
    package var maximum: Int

    package init(minimum: Int, maximum: Int) {
        self.minimum = minimum
        self.maximum = maximum
    }

    package struct Reading: Hashable, Sendable {
        /// In any unit.
        package var time: Int
        /// In sensor steps.
        package var value: Int

        package init(time: Int, value: Int) {
            self.time = time
            self.value = value
        }
    }

    /// A stretch out of range on one side.
    package struct Episode: Hashable, Sendable {
        package var side: String
        package var openedAt: Int
        package var closedAt: Int?
        package var worst: Int
        /// The times of its readings out of range.
        package var outside: [Int]
    }

    /// - Parameter readings: In the order in which they are evaluated; a reading that is not newer than an earlier one
    ///   is ignored.
    package func episodes(_ readings: some Sequence<Reading>) -> [Episode] {
        var found: [Episode] = []
        var isOpen = false
        var last = Int.min
        for reading in readings where reading.time > last {
            last = reading.time
            let value = reading.value
            let side = value > maximum ? "high" : value < minimum ? "low" : nil
            if let side {
                if isOpen, found[found.count - 1].side != side {
                    found[found.count - 1].closedAt = reading.time
                    isOpen = false
                }
                if !isOpen {
                    found.append(
                        Episode(side: side, openedAt: reading.time, closedAt: nil, worst: value, outside: []))
                    isOpen = true
                }
                let worst = found[found.count - 1].worst
                found[found.count - 1].worst = side == "high" ? max(worst, value) : min(worst, value)
                found[found.count - 1].outside.append(reading.time)
            } else if isOpen {
                // The dead band is one step: at the limit itself the value is in range and the episode goes on.
                let isBack = found[found.count - 1].side == "high" ? value <= maximum - 1 : value >= minimum + 1
                if isBack {
                    found[found.count - 1].closedAt = reading.time
                    isOpen = false
                }
            }
        }
        return found
    }

    /// The number of notifications per episode if at least `throttle` lies between two of one side, without all-clears.
    package static func notifications(of episodes: [Episode], throttle: Int) -> [Int] {
        var last: [String: Int] = [:]
        return episodes.map { episode in
            var count = 0
            for time in episode.outside where last[episode.side].map({ time - $0 >= throttle }) ?? true {
                last[episode.side] = time
                count += 1
            }
            return count
        }
    }
}
