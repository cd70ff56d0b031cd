import Instants
import WaterQuality

/// The rows of the part of a period that has one source.
struct SeriesPart: Sendable {
    /// The time that one row covers; zero for messages.
    var span: Duration
    var period: Range<Timestamp>
    /// The rows in any order.
    var rows: [SeriesRow]
    /// Only for messages: the last values before the part, which give the usual pause and the value that held when it
    /// began.
    var before: [SeriesRow] = []
}

/// Builds a series from its parts, without a database.
struct SeriesBuilder {
    let parameter: Parameter
    /// The periods that the person may see, ascending. No value holds beyond the end of its period.
    let periods: [Range<Timestamp>]
    let plan: SeriesPlan
    let points: Int
    /// The person's limits, in any order; they do not overlap.
    let limits: [LimitVersion]
    /// The present: no value holds beyond it.
    let now: Timestamp
    /// The stored times outside of hours.
    var outside = HoursOutside()
    /// The days, from the first to the second, whose roll-ups hold QARTOD's flags; `dueDays` are the exceptions.
    var judgedSince = Timestamp.distantFuture
    var judgedUntil = Timestamp.distantFuture
    var dueDays: Set<Timestamp> = []
    /// Work on the water, by the device's clock.
    var work: [Work] = []

    /// - Parameter parts: The parts in any order; they do not overlap.
    func series(of parts: [SeriesPart]) -> Series {
        var statistics = Series.Statistics()
        var outside = TimeOutside(of: parameter, by: limits)
        var rows: [SeriesRow] = []
        var rolledUp = HoldTime()
        var hold = HoldTime()
        for part in parts.sorted(by: { $0.period.lowerBound < $1.period.lowerBound }) {
            if part.span == .zero {
                hold = HoldTime()
                rows += messages(of: part, after: rows.last, &hold, &outside)
            } else {
                rows += rollUps(of: part, after: rows.last, &rolledUp, &statistics)
            }
        }
        rows = reviewed(rows)
        for row in rows { statistics.add(row) }
        statistics.outOfRange += .microseconds(outside.microseconds)
        let gap = Duration.microseconds(hold.longest)
        if plan.resolution == .message, rows.count <= points {
            return Series(
                resolution: .message, step: .zero, longestGap: gap, points: rows.map(Series.Point.init),
                statistics: statistics)
        }
        return Series(
            resolution: plan.resolution, step: plan.step, longestGap: max(plan.step, gap), points: binned(rows),
            statistics: statistics)
    }

    // MARK: How long values hold

    /// The messages of a part, each with the time for which it holds.
    private func messages(
        of part: SeriesPart, after last: SeriesRow?, _ hold: inout HoldTime, _ outside: inout TimeOutside
    ) -> [SeriesRow] {
        var rows = part.rows.sorted { $0.time < $1.time }
        for index in rows.indices { rows[index].isWorked = isWorked(rows[index]) }
        let before = part.before.sorted { $0.time < $1.time }
        for row in before { hold.note(row.time) }
        let end = min(part.period.upperBound, now)
        /// The time until which a value held, and whether the time from then to the next value is a gap.
        func until(_ held: SeriesRow, before next: Timestamp?) -> (time: Timestamp, isGap: Bool) {
            let pause = next.map { $0.microseconds - held.time.microseconds }
            let lasted = pause.map(hold.held(for:)) ?? hold.longest
            let heldUntil = Timestamp(microseconds: held.time.microseconds + lasted)
            return (min(heldUntil, self.end(after: held.time), end), pause.map { $0 > lasted } ?? false)
        }
        if let held = before.last {
            // The value that held when the part began, which lasts into the part, or through all of it if nothing came.
            let ended = until(held, before: rows.first?.time)
            if !isWorked(held) { outside.add(held.least, from: part.period.lowerBound, to: ended.time) }
            if !rows.isEmpty { rows[0].isAfterGap = ended.isGap && last != nil }
        } else if !rows.isEmpty, let last {
            rows[0].isAfterGap = rows[0].time - (last.time + last.span) > HoldTime.shortest
        }
        for index in rows.indices {
            hold.note(rows[index].time)
            let next = index + 1 < rows.count ? rows[index + 1].time : nil
            let ended = until(rows[index], before: next)
            rows[index].held = max(0, ended.time.microseconds - rows[index].time.microseconds)
            if !rows[index].isWorked { outside.add(rows[index].least, from: rows[index].time, to: ended.time) }
            if next != nil { rows[index + 1].isAfterGap = ended.isGap }
        }
        return rows
    }

    private func isWorked(_ row: SeriesRow) -> Bool {
        !work.isEmpty && work.contains { $0.period.contains(row.time) }
    }

    /// The roll-ups of a part, each with the time that it covers.
    private func rollUps(
        of part: SeriesPart, after last: SeriesRow?, _ usual: inout HoldTime, _ statistics: inout Series.Statistics
    ) -> [SeriesRow] {
        statistics.outOfRange += .seconds(outside.seconds(in: part.period))
        statistics.worked += part.rows.reduce(0) { $0 + $1.worked }
        // An hour may have been all work.
        var rows = part.rows.filter { $0.count > 0 }.sorted { $0.time < $1.time }
        var last = last
        for index in rows.indices {
            let row = rows[index]
            if let last {
                let pause = max(
                    0, row.time.microseconds - (last.time.roundedDown(to: part.span) + part.span).microseconds)
                rows[index].isAfterGap = pause > usual.held(for: pause)
                usual.note(pause: pause)
            }
            last = row
            rows[index].held = row.span.wholeMicroseconds
            if row.time < outside.since { judge(row, &statistics) }
        }
        return rows
    }

    /// Judges a roll-up without a stored time outside, by its least and its greatest value.
    private func judge(_ row: SeriesRow, _ statistics: inout Series.Statistics) {
        let end = min(row.time + row.span, end(after: row.time), now)
        guard row.time < end else { return }
        let (least, greatest) = (parameter.steps(of: row.least), parameter.steps(of: row.greatest))
        for version in limits {
            let common = version.period.clamped(to: row.time..<end)
            guard !common.isEmpty, !version.contains(least) || !version.contains(greatest) else { continue }
            if greatest.count < version.minimum ?? .min || least.count > version.maximum ?? .max {
                statistics.outOfRange += common.upperBound - common.lowerBound
            } else {
                statistics.undecided += common.upperBound - common.lowerBound
            }
        }
    }

    private func end(after time: Timestamp) -> Timestamp {
        periods.first { $0.contains(time) }?.upperBound ?? .distantFuture
    }

    // MARK: QARTOD's flags

    /// Puts the messages to QARTOD's tests, each together with those of the period before it. Roll-ups have their flags
    /// already.
    private func reviewed(_ rows: [SeriesRow]) -> [SeriesRow] {
        var rows = rows
        var review = QualityReview(parameter.qualityThresholds)
        let messages = rows.indices.filter { rows[$0].span == .zero }
        var judged: [Int] = []
        func note(_ flags: [QualityFlags]) {
            for (index, flags) in zip(judged, flags) {
                (rows[index].quality, rows[index].flagged) = (flags.overall, FlaggedValues(flags))
            }
            judged.removeAll()
        }
        for index in messages {
            // What is measured in work is not judged, and what comes after it follows from nothing before.
            guard !rows[index].isWorked else {
                note(review.flags)
                review = QualityReview(parameter.qualityThresholds)
                continue
            }
            review.add(rows[index].least, at: rows[index].time)
            judged.append(index)
        }
        note(review.flags)
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
                // Points side by side have no gap between them: a shorter pause than a point's width does not show.
                let isBesideLast = bin <= end
                end = bin + plan.step
                var point = Series.Point(row)
                point.time = max(bin, start)
                point.isAfterGap = row.isAfterGap && !isBesideLast
                found.append(point)
            }
        }
        return found
    }
}

extension Series.Point {
    init(_ row: SeriesRow) {
        guard !row.isWorked else {
            self.init(
                time: row.time, count: 0, total: Weighed(row), least: Series.Extreme(value: row.least, time: row.time),
                greatest: Series.Extreme(value: row.greatest, time: row.time), isAfterGap: row.isAfterGap, worked: 1)
            return
        }
        self.init(
            time: row.time, count: row.count, total: Weighed(row),
            least: Series.Extreme(value: row.least, time: row.time),
            greatest: Series.Extreme(value: row.greatest, time: row.time),
            quality: row.quality, flagged: row.flagged ?? .notEvaluated, isAfterGap: row.isAfterGap)
    }

    /// Adds a later row.
    mutating func add(_ row: SeriesRow) {
        if row.isWorked, !isWorked {
            worked += 1
            return
        }
        if !row.isWorked, isWorked {
            // The others make the figures.
            let (time, isAfterGap, worked) = (time, isAfterGap, worked)
            self = Series.Point(row)
            (self.time, self.isAfterGap, self.worked) = (time, isAfterGap, worked)
            return
        }
        if row.isWorked { worked += 1 } else { count += row.count }
        total.add(Weighed(row))
        if row.least < least.value { least = Series.Extreme(value: row.least, time: row.time) }
        if row.greatest > greatest.value { greatest = Series.Extreme(value: row.greatest, time: row.time) }
        quality = quality.worse(row.quality)
        if let found = row.flagged { flagged.add(found) }
    }
}

extension Series.Statistics {
    /// Adds a later row.
    fileprivate mutating func add(_ row: SeriesRow) {
        guard !row.isWorked else {
            worked += 1
            return
        }
        count += row.count
        total.add(Weighed(row))
        if row.least < least?.value ?? .infinity { least = Series.Extreme(value: row.least, time: row.time) }
        if row.greatest > greatest?.value ?? -.infinity {
            greatest = Series.Extreme(value: row.greatest, time: row.time)
        }
    }
}
