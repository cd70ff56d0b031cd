import Instants

/// How often readings have come lately.
struct RecentRhythm {
    private var intervals: ArraySlice<Duration>
    /// As many as a silence is judged by.
    private static let most = 16

    /// Begins with the first of some times.
    init(_ times: [Timestamp]) {
        let first = times.sorted().prefix(Self.most + 1)
        intervals = zip(first.dropFirst(), first).map { $0 - $1 }[...]
    }

    mutating func add(_ interval: Duration) {
        guard interval > .zero else { return }
        intervals.append(interval)
        if intervals.count > Self.most { intervals.removeFirst() }
    }

    /// The median; zero where there is none.
    var usual: Duration {
        let sorted = intervals.sorted()
        return sorted.isEmpty ? .zero : sorted[sorted.count / 2]
    }
}
