package import Instants
package import Postgres
import WaterQuality

/// A request for a series of one parameter, as a person sees it.
///
/// The result is always exact: the same as if it were made from the samples, within `Series.resolution`. It includes
/// samples that arrived a moment ago, and nothing from a time when the device was not the person's.
package struct SeriesRequest: Sendable {
    /// The most points that a request may ask for.
    package static let mostPoints = 2_000

    private let period: Range<Timestamp>
    private let points: Int
    private let mostRows: Int

    /// - Parameters:
    ///   - points: The most points, 1 to `mostPoints`.
    ///   - mostRows: About the most rows to read; `nil` for the usual number.
    package init(_ period: Range<Timestamp>, points: Int, mostRows: Int? = nil) {
        self.mostRows = mostRows ?? SeriesPlan.mostRows
        self.period = period.clamped(to: Timestamp(microseconds: 0) ..< .distantFuture)
        self.points = min(max(1, points), Self.mostPoints)
    }

    /// The options of `perform`'s transaction. A single snapshot ensures that nothing is counted twice or lost where
    /// one source ends and the next begins.
    package static let transaction = HistoryRequest.transaction

    /// - Parameters:
    ///   - subject: The result of `FindWatchSubject` in the same transaction.
    ///   - transaction: A transaction with the options of `SeriesRequest.transaction`.
    package func perform(of subject: WatchSubject, in transaction: PostgresTransaction) throws -> Series {
        let watch = subject.watch
        // Converts to the device's clock, by which readings are stored.
        let own = period.lowerBound - subject.lag..<period.upperBound - subject.lag
        let wanted = own.clamped(to: .distantPast..<subject.now + EventTime.furthestAhead)
        let periods = Self.joined(subject.readable).map { $0.clamped(to: wanted) }.filter { !$0.isEmpty }
        guard let first = periods.first, let last = periods.last else { return .empty }
        var kept = subject.kept
        let hull = first.lowerBound..<last.upperBound
        var older = OlderRollUps()
        if kept.begins(.message) > hull.lowerBound {
            older = try transaction.execute(FindOlderRollUps(of: watch.device, kept)).first ?? older
        }
        let plan = SeriesPlan(hull, points: points, kept: kept, older: older, mostRows: mostRows)
        var dueDays: Set<Timestamp> = []
        if plan.resolution != .message {
            let due = hull.lowerBound.roundedDown(to: RollUpSchedule.day)..<hull.upperBound
            kept.due = try transaction.execute(FindPersonDueHours(device: watch.device, period: due))
            dueDays = Set(try transaction.execute(FindPersonDueDays(device: watch.device, period: due)))
        }
        var parts: [SeriesPart] = []
        for period in periods {
            func source(_ part: Range<Timestamp>) -> SeriesSource {
                SeriesSource(device: watch.device, parameter: watch.parameter, period: part)
            }
            let sources = HistoryPlan(period, by: plan.resolution, kept)
            for part in sources.days {
                let rows = try transaction.execute(ReadSeriesDays(source(part)))
                parts.append(SeriesPart(span: RollUpSchedule.day, period: part, rows: rows))
            }
            for part in sources.hours {
                let rows = try transaction.execute(ReadSeriesHours(source(part)))
                parts.append(SeriesPart(span: RollUpSchedule.hour, period: part, rows: rows))
            }
            for part in sources.samples {
                let rows = try transaction.execute(ReadSeriesSamples(source(part)))
                let before = try transaction.execute(ReadSeriesBefore(source(part)))
                parts.append(SeriesPart(span: .zero, period: part, rows: rows, before: before))
            }
        }
        var outside = HoursOutside(since: kept.outsideSince)
        if plan.resolution != .message {
            for day in try transaction.execute(ReadTimeOutside(watch, in: hull)) { outside.add(day) }
        }
        let limits = try transaction.execute(
            ListLimits(watch, in: hull.lowerBound + subject.lag..<hull.upperBound + subject.lag)
        )
        .map { $0.moved(by: .zero - subject.lag) }
        let work = try transaction.execute(
            ListWork(
                on: watch.device, in: hull.lowerBound + subject.lag - HoldTime.before..<hull.upperBound + subject.lag)
        ).moved(by: .zero - subject.lag)
        let builder = SeriesBuilder(
            parameter: watch.parameter, periods: periods, plan: plan, points: points, limits: limits,
            now: subject.now - subject.lag, outside: outside, judgedSince: kept.judgedSince,
            judgedUntil: JudgedDays.end(rolledUpUntil: kept.rolledUpUntil), dueDays: dueDays,
            work: work)
        return builder.series(of: parts).moved(by: subject.lag)
    }
}

extension SeriesRequest {
    /// Joins periods that follow or overlap each other, so that no value counts twice.
    private static func joined(_ periods: [Range<Timestamp>]) -> [Range<Timestamp>] {
        var joined: [Range<Timestamp>] = []
        for period in periods {
            if let last = joined.last, period.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, period.upperBound)
            } else {
                joined.append(period)
            }
        }
        return joined
    }
}

extension Series {
    /// The series of a period without any readings for the person.
    static let empty = Series(
        resolution: .message, step: .zero, longestGap: .seconds(300), points: [], statistics: Statistics())
}
