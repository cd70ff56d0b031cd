package import Instants

/// A value that has stayed the same for longer than water does: its probe is frozen, or out of the water.
///
/// QARTOD leaves the threshold of its flat line test to who knows the probe. Here it is the probe's own week: one that reads whole
/// degrees in a heated tank may well stay the same for a day, and has done so before.
package struct FlatLine: Hashable, Sendable {
    /// The beginning of the first whole hour of it.
    package var since: Timestamp
    /// The event time up to which it is known to last.
    package var until: Timestamp
    package var value: Float

    package init(since: Timestamp, until: Timestamp, value: Float) {
        self.since = since
        self.until = until
        self.value = value
    }

    /// The values of an hour, in the parameter's canonical unit.
    package struct Hour: Hashable, Sendable {
        package var start: Timestamp
        package var least: Float
        package var greatest: Float

        package init(start: Timestamp, least: Float, greatest: Float) {
            self.start = start
            self.least = least
            self.greatest = greatest
        }
    }

    private static let hour = Duration.seconds(3_600)
    /// How far back hours tell of a probe: a flat line, and the week before it.
    package static let memory = Duration.seconds(14 * 86_400)
    private static let week = Duration.seconds(7 * 86_400)
    /// So many hours of that week have to be known, and so many values in them: a probe that tells few values apart stands still often.
    private static let leastHours = 72
    private static let leastValues = 10
    /// So many times longer than in the week before a value has to have stayed the same.
    private static let factor = 3

    /// The flat line that has gone on until now, if there is one: it has lasted as long as failure takes, and three times as long as any
    /// in the week before. A value at an end of what the sensor measures is none: it is out of range, and told as that.
    /// - Parameters:
    ///   - hours: Those of `memory` in which there were values, oldest first, the one that is not over among them.
    ///   - start: The time from which on a line counts, because somebody worked on the water until then.
    package static func find(
        _ hours: [Hour], since start: Timestamp? = nil, by thresholds: QualityThresholds
    ) -> FlatLine? {
        guard let flat = thresholds.flat, let now = hours.last?.start else { return nil }
        var runs = runs(of: hours, tolerance: flat.tolerance, gap: thresholds.gap)
        guard var line = runs.popLast(), line.until > now else { return nil }
        line.until = now
        line.since = max(line.since, start ?? line.since)
        let span = thresholds.sensorSpan
        guard now - line.since >= flat.fail, line.value > span.lowerBound, line.value < span.upperBound else {
            return nil
        }
        let known = hours.filter { $0.start >= line.since - week && $0.start < line.since }
        let values = Set(known.flatMap { [$0.least, $0.greatest] }.map { ($0 / flat.tolerance).rounded() })
        guard known.count >= leastHours, values.count >= leastValues else { return nil }
        // It may have begun and ended within the hours beside it.
        let longest = runs.lazy.filter { $0.until > line.since - week }.map { $0.until - $0.since }.max() ?? .zero
        return now - line.since >= (longest + hour * 2) * factor ? line : nil
    }

    /// The stretches in which the value stayed the same, oldest first. An hour in which it did not ends one and is none.
    private static func runs(of hours: [Hour], tolerance: Float, gap: Duration) -> [FlatLine] {
        var runs: [FlatLine] = []
        var (least, greatest) = (Float.infinity, -Float.infinity)
        var isOpen = false
        for next in hours {
            guard next.greatest - next.least < tolerance else {
                isOpen = false
                continue
            }
            let (lower, upper) = (min(least, next.least), max(greatest, next.greatest))
            if isOpen, let last = runs.last, next.start - last.until <= gap, upper - lower < tolerance {
                (least, greatest) = (lower, upper)
                runs[runs.count - 1].until = next.start + hour
            } else {
                (least, greatest) = (next.least, next.greatest)
                runs.append(FlatLine(since: next.start, until: next.start + hour, value: next.least))
                isOpen = true
            }
        }
        return runs
    }

    /// What becomes of a flat line with a value.
    package enum Change: Hashable, Sendable {
        /// The value is not newer than what is known.
        case none
        case goesOn(FlatLine)
        /// The value is another one.
        case moved
        /// Nobody knows: the value is the same after a pause, or what was known is by a clock that was ahead.
        case lost
    }

    /// - Parameter latest: The latest time that an earlier mark can rightly carry (`EventTime.latest`). A later one is void.
    package func change(
        by value: Float, at time: Timestamp, latest: Timestamp, thresholds: QualityThresholds
    ) -> Change {
        guard let flat = thresholds.flat, until <= latest else { return .lost }
        guard time > until else { return .none }
        guard abs(value - self.value) < flat.tolerance else { return .moved }
        return time - until > thresholds.gap ? .lost : .goesOn(FlatLine(since: since, until: time, value: self.value))
    }
}

extension Finding {
    /// A detector of kind fault: the meaning of a flat line's change for a person. Pure and total. What the probe says of itself is
    /// worth more: an episode of that is left alone.
    ///
    /// - Parameters:
    ///   - moment: When the value was measured, and is decided.
    ///   - open: The open episode.
    ///   - least: For how long the value has to have stayed the same since the device is the person's.
    ///   - theirsFrom: Since when the device's readings are the person's; `nil` for always.
    package static func flatLine(
        _ change: FlatLine.Change, at moment: FoundAt, open: Episode?, lasting least: Duration,
        theirsFrom: Timestamp? = nil
    ) -> Finding {
        if let open, open.flatAt == nil { return .nothing }
        switch change {
        case .none: return .nothing
        case .moved: return .over(at: moment.time)
        case .lost: return .moot(at: moment.time)
        case .goesOn(let line):
            let since = max(line.since, moment.byDevice(theirsFrom) ?? .distantPast)
            guard open != nil || moment.time - since >= least else { return .nothing }
            return .holds(moment.evidence(.fault(flatAt: line.value), since: since))
        }
    }
}
