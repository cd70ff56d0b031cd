import Foundation

/// Operations per second, over repetitions of the same work.
struct Rate: Sendable {
    private let sorted: [Double]

    init(_ perSecond: [Double]) { sorted = perSecond.sorted() }

    /// Repeats work of this many operations on the calling thread; the first run does not count.
    static func onOneCore(
        repetitions: Int, operations: Int, _ work: () throws -> Void
    ) rethrows -> Rate {
        try work()
        return Rate(
            try (0..<repetitions).map { _ in
                try Double(operations) / (ThreadClock.measure(work) / .seconds(1))
            })
    }

    var median: Double { sorted[sorted.count / 2].rounded() }
    var spread: Spread { Spread(least: sorted[0].rounded(), most: sorted[sorted.count - 1].rounded()) }

    /// The slowest and the fastest repetition.
    struct Spread: Encodable, Sendable {
        let least: Double
        let most: Double
    }

    var text: String {
        "\(Self.words(median)) (\(Self.words(spread.least)) to \(Self.words(spread.most)))"
    }

    static func words(_ perSecond: Double) -> String {
        perSecond >= 1e6 ? String(format: "%.2f M/s", perSecond / 1e6) : String(format: "%.0f /s", perSecond)
    }
}
