package import Instants
package import Postgres
package import WaterQuality

/// Asks for the history of a device in a stretch of time, short or long, in about as many points as are wanted.
///
/// What it finds is exact at any time: as if every point were added up from the samples, however far the roll-ups are, and
/// of samples that came a moment ago as well.
package struct HistoryRequest: Sendable {
    private let device: DeviceKey
    private let period: Range<Timestamp>
    private let periods: [Range<Timestamp>]
    private let points: Int

    /// - Parameters:
    ///   - periods: Only what lies in one of these is told: the stretches in which somebody owned the device
    ///     (`ListOwnedPeriods`); nil: no bounds. They do not overlap.
    ///   - points: The most messages that are told one by one; beyond that it is hours or days.
    package init(
        of device: DeviceKey, in period: Range<Timestamp>, within periods: [Range<Timestamp>]? = nil, points: Int
    ) {
        self.device = device
        self.period = period
        self.periods = (periods ?? [period]).map { $0.clamped(to: period) }.filter { !$0.isEmpty }
        self.points = max(1, points)
    }

    /// Of one snapshot, so that nothing is told twice or not at all where one source ends and the next begins.
    package static let transaction = TransactionOptions(isolation: .repeatableRead, isReadOnly: true)

    /// - Returns: A history for each parameter, in the same resolution, those without a value included.
    /// - Parameter transaction: As `HistoryRequest.transaction` says.
    package func perform(_ parameters: [Parameter], in transaction: PostgresTransaction) throws -> [History] {
        guard var kept = try transaction.execute(FindKeptHistory(slot: device.slot)).first else { return [] }
        kept.due = try transaction.execute(FindDueHours(device: device, period: dueWithin))
        let resolution = HistoryResolution.finest(for: period, points: points, kept: kept)
        if resolution == .message, let all = try messages(parameters, transaction) { return all }
        let rolledUp = resolution == .message ? .hour : resolution
        return try parameters.map {
            History(resolution: rolledUp, points: try add(up: $0, rolledUp, kept, transaction))
        }
    }

    /// From the beginning of a day, whose other hours may be asked for.
    private var dueWithin: Range<Timestamp> {
        period.lowerBound.roundedDown(to: RollUpSchedule.day)..<period.upperBound
    }

    /// - Returns: nil when there are more than are wanted.
    private func messages(_ parameters: [Parameter], _ transaction: PostgresTransaction) throws -> [History]? {
        var histories: [History] = []
        for parameter in parameters {
            var found: [ReadHistory.Point] = []
            for period in periods {
                found += try transaction.execute(
                    ReadHistory(parameter, of: device, in: period, limit: Int32(clamping: points + 1)))
            }
            guard found.count <= points else { return nil }
            let points = found.map {
                History.Point(time: $0.time, minimum: $0.value, maximum: $0.value, sum: Double($0.value), count: 1)
            }
            histories.append(History(resolution: .message, points: points))
        }
        return histories
    }

    private func add(
        up parameter: Parameter, _ resolution: HistoryResolution, _ kept: KeptHistory,
        _ transaction: PostgresTransaction
    ) throws -> [History.Point] {
        var points: [Timestamp: History.Point] = [:]
        func take(_ found: [History.Point]) {
            points.merge(found.lazy.map { ($0.time, $0) }, uniquingKeysWith: +)
        }
        for period in periods {
            func source(_ part: Range<Timestamp>) -> HistorySource {
                HistorySource(device: device, parameter: parameter, period: part, step: resolution.step)
            }
            let plan = HistoryPlan(period, by: resolution, kept)
            for part in plan.days { take(try transaction.execute(AddUpDays(source(part)))) }
            for part in plan.hours { take(try transaction.execute(AddUpHours(source(part)))) }
            for part in plan.samples { take(try transaction.execute(AddUpSamples(source(part)))) }
        }
        return points.values.sorted { $0.time < $1.time }
    }
}
