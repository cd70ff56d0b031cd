/// What a probe reads in standards: by one of them it is off by as much everywhere, by two its readings follow a line.
package struct ProbeResponse: Hashable, Sendable {
    package struct Point: Hashable, Sendable {
        package var standard: Double
        package var reading: Double

        /// How much too high it reads.
        package var deviation: Double { reading - standard }
    }

    /// By their standards; none of a probe that reads what is there.
    package let points: [Point]

    package static let exact = ProbeResponse(points: [])

    private init(points: [Point]) { self.points = points }

    /// - Returns: `nil` without a point.
    package init?(_ points: [(standard: Double, reading: Double)]) {
        guard !points.isEmpty else { return nil }
        self.init(
            points: points.map { Point(standard: $0.standard, reading: $0.reading) }
                .sorted { $0.standard < $1.standard })
    }

    /// The least and the greatest standard, or the only one: between them a line is drawn, also where there is a third.
    var ends: [Point] { points.count > 2 ? [points[0], points[points.count - 1]] : points }

    /// What it would read in a standard.
    package func reading(at standard: Double) -> Double {
        let ends = ends
        guard let low = ends.first, let high = ends.last else { return standard }
        let span = high.standard - low.standard
        guard span > 0 else { return standard + low.deviation }
        return low.reading + (standard - low.standard) / span * (high.reading - low.reading)
    }

    /// How much too high it reads, as the mean of some standards.
    func deviation(at standards: [Double]) -> Double {
        guard !standards.isEmpty else { return 0 }
        return standards.map { reading(at: $0) - $0 }.reduce(0, +) / Double(standards.count)
    }

    /// How much too high it reads, as the mean of its own standards.
    package var deviation: Double { deviation(at: points.map(\.standard)) }
}
