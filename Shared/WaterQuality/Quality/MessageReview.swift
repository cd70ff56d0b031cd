package import Instants

/// Puts a device's messages, oldest first, to QARTOD's tests while they are read, and releases each message once no
/// later one can change its flags: after the next value, or when a run of equal values has ended.
package struct MessageReview<Message: Sendable>: Sendable {
    package struct Reviewed: Sendable {
        package var message: Message
        /// The worst flag of each value, in the order of `Parameter.allCases`; `nil` where there is no value.
        package var quality: [QualityFlag?]
    }

    private var reviews = Parameter.allCases.map { QualityReview($0.qualityThresholds) }
    private var waiting: [(message: Message, present: UInt32)] = []
    private let mostWaiting: Int

    /// - Parameter mostWaiting: The most messages held back. Beyond it messages are released with the flags known so
    ///   far; a device that sends every second sends fewer in twelve hours.
    package init(mostWaiting: Int = 50_000) {
        self.mostWaiting = mostWaiting
    }

    /// Takes the next message.
    package mutating func add(_ message: Message, _ readings: Readings, at time: Timestamp) {
        readings.forEachPresent { parameter, value in reviews[Int(parameter.rawValue)].add(value, at: time) }
        waiting.append((message, readings.present))
    }

    /// Releases the messages whose flags are final.
    /// - Parameter time: A time that no later message precedes.
    package mutating func settled(before time: Timestamp) -> [Reviewed] {
        let settled = reviews.map { $0.settled(before: time) }
        var seen = reviews.map { _ in 0 }
        var count = 0
        for (_, present) in waiting {
            var isSettled = true
            Parameter.forEach(in: present) { parameter in
                let place = Int(parameter.rawValue)
                seen[place] += 1
                if seen[place] > settled[place] { isSettled = false }
            }
            guard isSettled else { break }
            count += 1
        }
        return take(max(count, waiting.count - mostWaiting))
    }

    /// Releases all messages that are left.
    package mutating func rest() -> [Reviewed] { take(waiting.count) }

    private mutating func take(_ count: Int) -> [Reviewed] {
        var seen = reviews.map { _ in 0 }
        let taken = waiting.prefix(count).map { message, present in
            var quality = [QualityFlag?](repeating: nil, count: reviews.count)
            Parameter.forEach(in: present) { parameter in
                let place = Int(parameter.rawValue)
                quality[place] = reviews[place].flags[seen[place]].overall
                seen[place] += 1
            }
            return Reviewed(message: message, quality: quality)
        }
        for place in reviews.indices { reviews[place].takeAway(seen[place]) }
        waiting.removeFirst(count)
        return taken
    }
}

extension MessageReview.Reviewed {
    /// The QARTOD codes as cells of CSV, each after a comma.
    package var cells: String { quality.map { "," + ($0.map { "\($0.rawValue)" } ?? "") }.joined() }
}

extension Parameter {
    /// The name of the column that holds its QARTOD codes.
    package var qualityTitle: String { "\(name)_qc" }
}
