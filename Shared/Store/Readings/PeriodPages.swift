package import Instants

/// A period cut into pieces for reading, each with about the same number of messages, however often the device sends.
package struct PeriodPages: Sendable {
    package enum Order: Sendable {
        case oldestFirst, newestFirst
    }

    private var rest: Range<Timestamp>
    private var length = Duration.seconds(6 * 3_600)
    private let order: Order

    private static let wanted = 1_000...4_000
    private static let shortest = Duration.seconds(600)
    private static let longest = Duration.seconds(8 * 86_400)

    package init(_ period: Range<Timestamp>, _ order: Order = .oldestFirst) {
        rest = period
        self.order = order
    }

    package mutating func next() -> Range<Timestamp>? {
        guard !rest.isEmpty else { return nil }
        switch order {
        case .oldestFirst:
            let end = min(rest.lowerBound + length, rest.upperBound)
            defer { rest = end..<rest.upperBound }
            return rest.lowerBound..<end
        case .newestFirst:
            let start = max(rest.upperBound - length, rest.lowerBound)
            defer { rest = rest.lowerBound..<start }
            return start..<rest.upperBound
        }
    }

    /// Records the number of messages in the last piece.
    package mutating func note(rows: Int) {
        if rows < Self.wanted.lowerBound { length = min(length * 2, Self.longest) }
        if rows > Self.wanted.upperBound { length = max(length / 2, Self.shortest) }
    }
}
