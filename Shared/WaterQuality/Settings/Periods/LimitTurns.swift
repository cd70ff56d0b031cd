package import Instants

/// Which limits of a parameter hold from when on, within a time: the one answer to that question, by instants.
///
/// PostgreSQL alone knows zones, and makes them of periods (`limit_turns`); at each instant exactly one holds.
package struct LimitTurns: Hashable, Sendable {
    /// Plain limits, or a period.
    package struct Place: Hashable, Sendable {
        /// The period, counted from 0.
        package let period: Int?

        package static let plain = Place(period: nil)

        package init(period: Int?) { self.period = period }

        /// As it is stored: 0, or a period counted from 1.
        package init(stored: Int16) { period = stored > 0 ? Int(stored) - 1 : nil }
    }

    package struct Turn: Hashable, Sendable {
        package let at: Timestamp
        package let place: Place

        package init(at: Timestamp, place: Place) {
            self.at = at
            self.place = place
        }
    }

    /// Plain limits at all times.
    package static let none = LimitTurns([])

    /// In their order; the first is the beginning of what is known.
    private let turns: [Turn]

    /// - Parameter turns: In their order.
    package init(_ turns: [Turn]) { self.turns = turns }

    package var isEmpty: Bool { turns.isEmpty }

    /// The same turns by another clock.
    package func moved(by lag: Duration) -> LimitTurns {
        lag == .zero ? self : LimitTurns(turns.map { Turn(at: $0.at + lag, place: $0.place) })
    }

    /// The place that holds at an instant. Before and after what is known it is as at its ends.
    package func place(at time: Timestamp) -> Place {
        guard let first = turns.first else { return .plain }
        // The place of the first turn that lies ahead.
        var (low, high) = (0, turns.count)
        while low < high {
            let middle = (low + high) / 2
            if turns[middle].at <= time { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first.place : turns[low - 1].place
    }

    /// When something else holds, after an instant; `nil` where that is not known.
    package func next(after time: Timestamp) -> Timestamp? { turns.first { $0.at > time }?.at }

    /// When what holds at an instant began to; `nil` where that is not known.
    package func last(until time: Timestamp) -> Timestamp? { turns.last { $0.at <= time }?.at }

    /// The places that hold within a time, piece by piece.
    package func pieces(of time: Range<Timestamp>) -> [(time: Range<Timestamp>, place: Place)] {
        guard !time.isEmpty else { return [] }
        var pieces = [(time: time.lowerBound..<time.upperBound, place: place(at: time.lowerBound))]
        for turn in turns where turn.at > time.lowerBound && turn.at < time.upperBound {
            let begun = pieces.removeLast()
            pieces.append((begun.time.lowerBound..<turn.at, begun.place))
            pieces.append((turn.at..<time.upperBound, turn.place))
        }
        return pieces
    }
}
