import Instants
import WaterQuality

/// The limits that were in force in a stretch of time, in whole sensor steps.
struct LimitVersion: Equatable, Sendable {
    var period: Range<Timestamp>
    var minimum: Int32?
    var maximum: Int32?
}

/// Makes a series of its rows, without a database.
struct SeriesBuilder {
    let parameter: Parameter
    /// The periods that the person sees, ascending. No value holds beyond the end of its own.
    let periods: [Range<Timestamp>]
    let plan: SeriesPlan
    let points: Int
    /// The person's limits, in any order; they do not overlap.
    let limits: [LimitVersion]
    /// Nothing holds longer than this: what comes is not known.
    let now: Timestamp
    /// From which day on, and up to which, roll-ups hold what QARTOD's tests found, but for the days that wait for them.
    var judgedSince = Timestamp.distantFuture
    var judgedUntil = Timestamp.distantFuture
    var dueDays: Set<Timestamp> = []

    /// - Parameter rows: In any order. They do not overlap.
    func series(of rows: [SeriesRow]) -> Series {
        let rows = reviewed(rows.sorted { $0.time < $1.time })
        let gap = Self.longestGap(of: rows)
        var statistics = Series.Statistics()
        for row in rows { statistics.add(row) }
        measureOutOfRange(rows, gap, &statistics)
        if plan.resolution == .message, rows.count <= points {
            return Series(
                resolution: .message, step: .zero, longestGap: gap, points: rows.map(Series.Point.init),
                statistics: statistics)
        }
        return Series(
            resolution: plan.resolution, step: plan.step, longestGap: max(plan.step, gap), points: binned(rows),
            statistics: statistics)
    }

    /// Puts the messages to QARTOD's tests, each with those of the period before it. Of roll-ups it is known what was found.
    private func reviewed(_ rows: [SeriesRow]) -> [SeriesRow] {
        var rows = rows
        var review = QualityReview(parameter.qualityThresholds)
        let messages = rows.indices.filter { rows[$0].span == .zero }
        for index in messages { review.add(rows[index].least, at: rows[index].time) }
        for (index, flags) in zip(messages, review.flags) {
            (rows[index].quality, rows[index].flagged) = (flags.overall, FlaggedValues(flags))
        }
        for index in rows.indices where rows[index].span != .zero {
            rows[index].quality = rows[index].flagged?.quality ?? (isJudged(rows[index].time) ? .pass : .notEvaluated)
        }
        return rows
    }

    private func isJudged(_ time: Timestamp) -> Bool {
        time >= judgedSince && time < judgedUntil && !dueDays.contains(time.roundedDown(to: RollUpSchedule.day))
    }

    private func binned(_ rows: [SeriesRow]) -> [Series.Point] {
        let start = periods.first?.lowerBound ?? .distantPast
        var found: [Series.Point] = []
        var end = Timestamp.distantPast
        for row in rows {
            if row.time < end, !found.isEmpty {
                found[found.count - 1].add(row)
            } else {
                let bin = row.time.roundedDown(to: plan.step)
                end = bin + plan.step
                var point = Series.Point(row)
                point.time = max(bin, start)
                found.append(point)
            }
        }
        return found
    }

    /// The longest time between two messages of a device that is not silent: three times the usual one, and five
    /// minutes at least, as long as silence takes to be told.
    ///
    /// A device may send at another interval than before: what several messages running kept to was usual then, and is
    /// no gap now.
    static func longestGap(of rows: [SeriesRow]) -> Duration {
        let least = Duration.seconds(300)
        // In microseconds, like all below: durations are numbers of 128 bits, whose arithmetic is felt with thousands of rows.
        var between: [Int64] = []
        var last: Timestamp?
        for row in rows where row.span == .zero {
            if let last { between.append(row.time.microseconds - last.microseconds) }
            last = row.time
        }
        guard between.count >= 2 else { return least }
        let kept = longestKept(between)
        between.sort()
        return max(least, .microseconds(max(between[between.count / 2], kept)) * 3)
    }

    /// The longest interval that so many messages running did not fall below; zero where there are too few.
    private static func longestKept(_ between: [Int64], running: Int = 6) -> Int64 {
        guard between.count >= running else { return 0 }
        var longest: Int64 = 0
        // Only intervals beyond the longest so far can make it longer, and nearly none is.
        var length = 0
        for (index, interval) in between.enumerated() {
            length = interval > longest ? length + 1 : 0
            guard length >= running else { continue }
            longest = between[(index - running + 1)...index].min() ?? longest
            length = between[...index].reversed().prefix(running).prefix { $0 > longest }.count
        }
        return longest
    }

    // MARK: Time out of range

    private func measureOutOfRange(_ rows: [SeriesRow], _ gap: Duration, _ statistics: inout Series.Statistics) {
        var limits = limits.sorted { $0.period.lowerBound < $1.period.lowerBound }
        // What was measured before the person had limits is judged by their first, as the engine does.
        if let earliest = limits.first { limits[0].period = .distantPast..<earliest.period.upperBound }
        let gap = gap.wholeMicroseconds
        var outOfRange: Int64 = 0
        var first = 0
        for (index, row) in rows.enumerated() {
            let held = row.span == .zero ? gap : row.span.wholeMicroseconds
            var end = min(Timestamp(microseconds: row.time.microseconds + held), self.end(after: row.time), now)
            if index + 1 < rows.count { end = min(end, rows[index + 1].time) }
            guard row.time < end else { continue }
            if row.span == .zero {
                // A value is judged once, when it comes: a limit that changes afterwards judges the next.
                while first < limits.count, limits[first].period.upperBound <= row.time { first += 1 }
                guard first < limits.count, limits[first].period.contains(row.time) else { continue }
                if judgement(row, limits[first]) == .outside {
                    outOfRange += end.microseconds - row.time.microseconds
                }
                continue
            }
            for version in limits {
                let common = version.period.clamped(to: row.time..<end)
                guard !common.isEmpty else { continue }
                switch judgement(row, version) {
                case .inside: break
                case .outside: statistics.outOfRange += common.upperBound - common.lowerBound
                case .partly: statistics.undecided += common.upperBound - common.lowerBound
                }
            }
        }
        statistics.outOfRange += .microseconds(outOfRange)
    }

    private func end(after time: Timestamp) -> Timestamp {
        periods.first { $0.contains(time) }?.upperBound ?? time
    }

    private enum Judgement { case inside, outside, partly }

    private func judgement(_ row: SeriesRow, _ limits: LimitVersion) -> Judgement {
        let minimum = limits.minimum ?? .min
        let maximum = limits.maximum ?? .max
        let least = parameter.steps(of: row.least).count
        let greatest = parameter.steps(of: row.greatest).count
        if least >= minimum, greatest <= maximum { return .inside }
        return greatest < minimum || least > maximum ? .outside : .partly
    }
}

extension Series.Point {
    init(_ row: SeriesRow) {
        self.init(
            time: row.time, count: row.count, sum: row.sum,
            least: Series.Extreme(value: row.least, time: row.time),
            greatest: Series.Extreme(value: row.greatest, time: row.time),
            quality: row.quality, flagged: row.flagged ?? .notEvaluated)
    }

    /// Adds a later row.
    mutating func add(_ row: SeriesRow) {
        count += row.count
        sum += row.sum
        if row.least < least.value { least = Series.Extreme(value: row.least, time: row.time) }
        if row.greatest > greatest.value { greatest = Series.Extreme(value: row.greatest, time: row.time) }
        quality = quality.worse(row.quality)
        if let found = row.flagged { flagged.add(found) }
    }
}

extension Series.Statistics {
    /// Adds a later row.
    fileprivate mutating func add(_ row: SeriesRow) {
        count += row.count
        sum += row.sum
        if row.least < least?.value ?? .infinity { least = Series.Extreme(value: row.least, time: row.time) }
        if row.greatest > greatest?.value ?? -.infinity {
            greatest = Series.Extreme(value: row.greatest, time: row.time)
        }
    }
}
