package import Instants

/// Puts one parameter's values of a device, oldest first, to QARTOD's tests. Pure.
///
/// A value gets its flags when it arrives, from the values before it. Two tests set flags later: a spike is known only
/// after the next value, and a run of equal values that has lasted too long is flagged from its beginning.
///
/// A value beyond the sensor's range is not compared with others, nor others with it: a -127 makes no spike of its
/// neighbours.
package struct QualityReview: Sendable {
    private let thresholds: QualityThresholds
    /// Whether a run that has lasted too long is flagged from its beginning, not only from the moment that was known.
    private let flagsWholeRuns: Bool
    /// The flags of each value so far, in order, except those already removed.
    package private(set) var flags: [QualityFlags] = []
    private var taken = 0

    /// A value that others may be compared with.
    private struct Usable {
        var index: Int
        var time: Timestamp
        var value: Float
    }

    private var lastTime: Timestamp?
    /// The last two usable values.
    private var last: Usable?
    private var beforeLast: Usable?
    /// The last value that passed the rate test.
    private var good: Usable?
    private var run: Run?

    /// A run of values that are equal within the tolerance.
    private struct Run {
        var since: Timestamp
        var least: Float
        var greatest: Float
        var members: [Int]
        var flag = QualityFlag.pass
    }

    package init(_ thresholds: QualityThresholds, flagsWholeRuns: Bool = true) {
        self.thresholds = thresholds
        self.flagsWholeRuns = flagsWholeRuns
    }

    /// Takes the next value; `nil` or NaN for a missing one.
    /// - Parameter time: The value's time, later than the previous one.
    package mutating func add(_ value: Float?, at time: Timestamp) {
        var found = QualityFlags(.notEvaluated)
        found[.gap] = lastTime.map { time - $0 > thresholds.gap ? .fail : .pass } ?? .pass
        lastTime = time
        defer { flags.append(found) }
        guard let value, !value.isNaN else {
            for test in QualityTest.allCases where test != .gap { found[test] = .missing }
            return
        }
        guard thresholds.sensorSpan.contains(value) else {
            found[.range] = .fail
            return
        }
        found[.range] = thresholds.plausibleSpan.contains(value) ? .pass : .suspect
        let usable = Usable(index: taken + flags.count, time: time, value: value)
        found[.rate] = rate(of: usable)
        if found[.rate] != .suspect { good = usable }
        found[.flat] = flat(usable)
        judgeLast(before: usable)
        (beforeLast, last) = (last, usable)
    }

    private func rate(of value: Usable) -> QualityFlag {
        guard let good else { return .notEvaluated }
        let hours = Float((value.time - good.time) / .seconds(3_600))
        return abs(value.value - good.value) > thresholds.jump + thresholds.changePerHour * hours ? .suspect : .pass
    }

    /// Tests the last value for a spike, now that both of its neighbours are known.
    private mutating func judgeLast(before next: Usable) {
        guard let last, let beforeLast, next.time - last.time <= thresholds.gap,
            last.time - beforeLast.time <= thresholds.gap
        else { return }
        let (rise, fall) = (last.value - beforeLast.value, last.value - next.value)
        let height = rise * fall > 0 ? min(abs(rise), abs(fall)) : 0
        set(
            height > thresholds.spike.fail ? .fail : height > thresholds.spike.suspect ? .suspect : .pass, .spike,
            last.index)
    }

    /// Sets a flag of an earlier value, unless its flags were removed.
    private mutating func set(_ flag: QualityFlag, _ test: QualityTest, _ index: Int) {
        if index >= taken { flags[index - taken][test] = flag }
    }

    private mutating func flat(_ value: Usable) -> QualityFlag {
        guard let flat = thresholds.flat else { return .notEvaluated }
        guard var run, let last, value.time - last.time <= thresholds.gap,
            max(run.greatest, value.value) - min(run.least, value.value) < flat.tolerance
        else {
            self.run = Run(since: value.time, least: value.value, greatest: value.value, members: [value.index])
            return .pass
        }
        self.run = nil  // avoids copying the members with each value
        run.least = min(run.least, value.value)
        run.greatest = max(run.greatest, value.value)
        let lasted = value.time - run.since
        let flag: QualityFlag = lasted >= flat.fail ? .fail : lasted >= flat.suspect ? .suspect : .pass
        if flagsWholeRuns, flag != run.flag {
            for index in run.members { set(flag, .flat, index) }
        }
        run.flag = flag
        // A run that has failed cannot get a worse flag, so its members are no longer needed.
        if flag == .fail { run.members = [] } else { run.members.append(value.index) }
        self.run = run
        return flag
    }

    // MARK: Series without end

    /// The number of leading flags that later values cannot change.
    /// - Parameter time: A time that no later value precedes.
    package func settled(before time: Timestamp) -> Int {
        guard let last, time - last.time <= thresholds.gap else { return flags.count }
        // Still open: the last value, which may be a spike, and its run, which may last too long.
        let open = min(last.index, flagsWholeRuns ? run?.members.first ?? .max : .max)
        return max(0, open - taken)
    }

    /// Removes the first flags, which later values cannot change.
    package mutating func takeAway(_ count: Int) {
        flags.removeFirst(count)
        taken += count
    }
}
