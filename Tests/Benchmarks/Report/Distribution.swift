/// Durations of one kind, in milliseconds.
struct Distribution: Encodable, Sendable {
    private let sorted: [Double]

    init(_ milliseconds: [Double]) { sorted = milliseconds.sorted() }

    init(_ durations: [Duration]) { self.init(durations.map { $0 / .milliseconds(1) }) }

    /// Of nothing.
    static let empty = Distribution([Double]())

    var maximum: Double { sorted.last ?? .nan }
    var mean: Double { sorted.reduce(0, +) / Double(sorted.count) }

    /// A quantile by the nearest rank, which is always a measured value.
    func percentile(_ percent: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        let rank = (percent / 100 * Double(sorted.count)).rounded(.up)
        return sorted[min(max(Int(rank), 1), sorted.count) - 1]
    }

    private enum CodingKeys: String, CodingKey { case p50, p90, p99, p999, max, mean }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(rounded(percentile(50)), forKey: .p50)
        try container.encode(rounded(percentile(90)), forKey: .p90)
        try container.encode(rounded(percentile(99)), forKey: .p99)
        try container.encode(rounded(percentile(99.9)), forKey: .p999)
        try container.encode(rounded(maximum), forKey: .max)
        try container.encode(rounded(mean), forKey: .mean)
    }

    /// Rounded to whole microseconds.
    private func rounded(_ milliseconds: Double) -> Double { (milliseconds * 1_000).rounded() / 1_000 }
}
