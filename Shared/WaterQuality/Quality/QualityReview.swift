package import Instants

/// Puts the values of one parameter of one device, oldest first, to QARTOD's tests. Pure.
///
/// A value is flagged when it comes, by what was before it. Two findings come later and are entered where they belong: a spike
/// is known by the value after it, and a run of equal values, when it has lasted too long, was frozen from its beginning.
///
/// What is beyond the sensor is not compared with anything, nor anything with it: a -127 makes no spike of its neighbours.
package struct QualityReview: Sendable {
    private let thresholds: QualityThresholds
    /// Whether a run that has lasted too long is flagged from its beginning, and not only from where that was known.
    private let flagsWholeRuns: Bool
    /// The flags of each value so far, in order, but for those that were taken away.
    package private(set) var flags: [QualityFlags] = []
    private var taken = 0

    /// A value that others can be compared with.
    private struct Usable {
        var index: Int
        var time: Timestamp
        var value: Float
    }

    private var lastTime: Timestamp?
    /// The last two usable values.
    private var last: Usable?
    private var beforeLast: Usable?
    /// The last value that was no jump.
    private var good: Usable?
    private var run: Run?

    /// Values that are the same, but for the tolerance.
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

    /// Takes the next value; `nil` or NaN for one that is missing.
    /// - Parameter time: Later than that of the value before.
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

    /// Judges the last value as a spike, now that both of its neighbours are known.
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

    /// Enters what was found of an earlier value, unless its flags were taken away.
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
        self.run = nil  // or its members were copied with each value
        run.least = min(run.least, value.value)
        run.greatest = max(run.greatest, value.value)
        let lasted = value.time - run.since
        let flag: QualityFlag = lasted >= flat.fail ? .fail : lasted >= flat.suspect ? .suspect : .pass
        if flagsWholeRuns, flag != run.flag {
            for index in run.members { set(flag, .flat, index) }
        }
        run.flag = flag
        // A run that has failed is as flagged as it can be.
        if flag == .fail { run.members = [] } else { run.members.append(value.index) }
        self.run = run
        return flag
    }

    // MARK: A series without end

    /// How many of the flags, from the first on, stay as they are whatever comes.
    /// - Parameter time: Nothing that comes is earlier.
    package func settled(before time: Timestamp) -> Int {
        guard let last, time - last.time <= thresholds.gap else { return flags.count }
        // The last value may be a spike, and the run that it belongs to may last too long.
        let open = min(last.index, flagsWholeRuns ? run?.members.first ?? .max : .max)
        return max(0, open - taken)
    }

    /// Takes the first flags away: nothing that comes changes them any more.
    package mutating func takeAway(_ count: Int) {
        flags.removeFirst(count)
        taken += count
    }
}
