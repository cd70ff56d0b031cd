/// A stretch of work on the water in the ledger of the person who began it: how it stood when they were last told.
package struct LedgerWork: Hashable, Sendable {
    package var device: String
    /// The id that the person's screen chose.
    package var id: String
    /// Its beginning and its end, unless it was finished before.
    package var from: Int
    package var until: Int
    package var endedAt: Int?
    /// The lengths that the person asked for. More than one where an answer was lost, and it was extended again.
    package var lengths: ClosedRange<Int>
    /// From the first attempt to finish it until the answer; nil where it ended by itself.
    package var finishing: ClosedRange<Int>?

    package init(
        device: String, id: String, from: Int, until: Int, endedAt: Int? = nil, lengths: ClosedRange<Int>,
        finishing: ClosedRange<Int>? = nil
    ) {
        self.device = device
        self.id = id
        self.from = from
        self.until = until
        self.endedAt = endedAt
        self.lengths = lengths
        self.finishing = finishing
    }

    /// The time from which on readings decide again.
    package var end: Int { min(until, endedAt ?? until) }

    package func contains(_ time: Int) -> Bool { from <= time && time < end }
}
