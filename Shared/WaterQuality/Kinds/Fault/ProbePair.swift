package import Instants

/// Values of a probe and of a second one in the same water over the last hours, and how far they lie apart.
package struct ProbePair: Sendable {
    /// A value in the parameter's canonical unit, by a correct clock.
    package struct Value: Hashable, Sendable {
        package var at: Timestamp
        package var value: Float

        package init(at time: Timestamp, value: Float) {
            at = time
            self.value = value
        }
    }

    /// The meaning of the last hours.
    package enum Finding: Hashable, Sendable {
        /// No value in common in the last hours: one of the two is not there.
        case alone
        /// Too few values in common.
        case unknown
        /// Apart by little, or not for so long yet that it counts either way.
        case near
        case agrees
        /// The first reads higher by so much, lower where it is below zero.
        case differs(by: Float, since: Timestamp)
    }

    /// The window of one difference.
    package static let window = Duration.seconds(6 * 3_600)
    /// For how long a difference has to last, and agreement likewise.
    package static let persistence = Duration.seconds(2 * 3_600)
    /// The stretch of time of which values are read.
    package static let memory = Duration.seconds(8 * 3_600)
    package static let leastPairs = 30
    /// The most time between the values of a pair.
    static let beside = Duration.seconds(5 * 60)
    /// The time between two looks at the difference within `persistence`.
    private static let step = Duration.seconds(10 * 60)
    /// The stretches of which a beginning is told, and an end.
    private static let stretch = Duration.seconds(30 * 60)

    private struct Difference {
        var at: Timestamp
        var by: Float
    }

    /// By their times.
    private let differences: [Difference]
    private let isAlone: Bool
    /// The middle of the first probe's values, by which a relative tolerance is measured.
    private let level: Float

    /// Pairs each value of the first probe with the nearest of the second.
    /// - Parameters:
    ///   - first: By their times, like the second's.
    ///   - start: Values before it count for nothing: somebody worked on the water, or it was somebody else's.
    package init(_ first: [Value], _ second: [Value], since start: Timestamp = .distantPast) {
        var differences: [Difference] = []
        var next = 0
        for value in first where !second.isEmpty {
            while next + 1 < second.count,
                Self.distance(second[next + 1].at, value.at) <= Self.distance(second[next].at, value.at)
            {
                next += 1
            }
            guard Self.distance(second[next].at, value.at) <= Self.beside else { continue }
            differences.append(Difference(at: value.at, by: value.value - second[next].value))
        }
        isAlone = differences.isEmpty
        self.differences = Array(differences.drop { $0.at < start })
        level = Self.median(first.map(\.value)) ?? 0
    }

    /// The number of values that both have in common.
    package var pairs: Int { differences.count }

    /// The median of the pairs in the window before a time; `nil` for too few.
    package func difference(at time: Timestamp) -> Float? {
        let pairs = differences(in: time - Self.window, time)
        return pairs.count < Self.leastPairs ? nil : Self.median(pairs.map(\.by))
    }

    /// Compares the probes. A difference has to be beyond the tolerance, on one side, in each window that ends within the last hours.
    package func find(at now: Timestamp, within tolerance: ProbeTolerance) -> Finding {
        if isAlone { return .alone }
        guard let difference = difference(at: now) else { return .unknown }
        let allowed = tolerance.amount(at: level)
        guard abs(difference) > allowed else { return .agrees }
        let isApart = { (by: Float) in abs(by) > allowed && (by > 0) == (difference > 0) }
        let stretches = stretches(before: now)
        let recent = stretches.prefix { $0.at >= now - Self.persistence }
        // The window still has the difference of before.
        if recent.count >= Self.leastStretches, recent.allSatisfy({ abs($0.by) <= allowed }) { return .agrees }
        var time = now
        while time > now - Self.persistence {
            time = time - Self.step
            guard let earlier = self.difference(at: time), isApart(earlier) else { return .near }
        }
        let apart = stretches.prefix { isApart($0.by) }
        guard let first = apart.last else { return .near }
        return .differs(by: difference, since: first.at)
    }

    /// Stretches of agreement that show that the probes agree again.
    private static let leastStretches = 3

    /// The medians of stretches of half an hour, the newest first, each with the time of its first value. Those without any are left out.
    private func stretches(before now: Timestamp) -> [Difference] {
        var found: [Difference] = []
        var end = now
        while end > now - Self.memory {
            let pairs = differences(in: end - Self.stretch, end)
            if let first = pairs.first, let by = Self.median(pairs.map(\.by)) {
                found.append(Difference(at: first.at, by: by))
            }
            end = end - Self.stretch
        }
        return found
    }

    /// Differences after a time, up to another.
    private func differences(in start: Timestamp, _ end: Timestamp) -> ArraySlice<Difference> {
        let lower = differences.firstIndex { $0.at > start } ?? differences.endIndex
        return differences[lower...].prefix { $0.at <= end }
    }

    private static func distance(_ one: Timestamp, _ other: Timestamp) -> Duration {
        one > other ? one - other : other - one
    }

    private static func median(_ values: [Float]) -> Float? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

/// The distance that two good probes of a parameter may have: twice what readings of a well kept monitor may be off by, after USGS Techniques and
/// Methods 1-D3 (Wagner et al. 2006), its criteria for calibration. Each of two good probes may err by as much, one up and one down.
package struct ProbeTolerance: Hashable, Sendable {
    private let allowance: CalibrationCriteria.Allowance
    /// Two sensor steps: less is no difference.
    private let least: Double

    /// - Returns: `nil` for a parameter of which the report says nothing: its probes are not compared.
    package init?(_ parameter: Parameter) {
        guard let criteria = CalibrationCriteria.of(parameter) else { return nil }
        allowance = criteria.excellent
        least = 2 / Double(parameter.stepsPerUnit)
    }

    /// The tolerance about a value, in the canonical unit.
    package func amount(at level: Float) -> Float {
        Float(max(2 * allowance.amount(at: Double(level)), least)) + Self.noise
    }

    /// The noise of binary fractions: two probes that are apart by just as much are not beyond it.
    private static let noise: Float = 1e-4

    /// The parameters whose probes are compared.
    package static let parameters = Parameter.allCases.filter { ProbeTolerance($0) != nil }
}

extension Finding {
    /// A detector of kind fault: the meaning of two probes' difference for a person. Pure and total. What a probe says of itself, or a value
    /// that stays the same, is worth more: an episode of that is left alone. Agreement ends the episode without a word: which of the two was
    /// right nobody knows.
    ///
    /// - Parameters:
    ///   - moment: When it is decided, by the device's clock.
    ///   - open: The open episode.
    ///   - theirsFrom: Since when the readings of both devices are the person's; `nil` for always.
    package static func difference(
        _ found: ProbePair.Finding, at moment: FoundAt, open: Episode?, theirsFrom: Timestamp? = nil
    ) -> Finding {
        if let open, open.differsBy == nil { return .nothing }
        switch found {
        case .unknown, .near: return .lingers(.ongoing)
        case .agrees, .alone: return .moot(at: moment.time)
        case .differs(let by, let since):
            if let theirsFrom, moment.now - theirsFrom < ProbePair.persistence { return .nothing }
            if let open, let was = open.differsBy, (was > 0) != (by > 0) { return .moot(at: moment.time) }
            let begun = max(since, theirsFrom ?? .distantPast)
            return .holds(moment.evidence(.differs(by: by), since: begun - moment.lag))
        }
    }
}
