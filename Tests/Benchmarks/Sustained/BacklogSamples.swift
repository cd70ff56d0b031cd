/// The number of waiting messages, second by second, at one rate.
struct BacklogSamples: Sendable {
    let rate: Double
    private(set) var backlog: [Int] = []

    init(rate: Double) { self.rate = rate }

    mutating func append(_ waiting: Int) { backlog.append(waiting) }

    /// Whether the queues stay level: the last ten seconds have hardly more waiting messages than the second to the
    /// eleventh, and never as many as arrive in five seconds.
    var isLevel: Bool {
        guard backlog.count > 22 else { return false }
        let grown = mean(backlog.suffix(10)) - mean(backlog[1...10])
        return grown < rate / 4 && Double(highest) < rate * 5
    }

    var highest: Int { backlog.max() ?? 0 }

    private func mean(_ values: some Collection<Int>) -> Double {
        Double(values.reduce(0, +)) / Double(values.count)
    }
}
