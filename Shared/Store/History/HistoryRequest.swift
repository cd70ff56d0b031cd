package import Instants
package import Postgres
package import WaterQuality

/// A request for a device's history in a period of any length, in about the wanted number of points.
///
/// The result is always exact: the same as if every point were computed from the samples, however far the roll-ups have
/// got, and samples that arrived a moment ago are included.
package struct HistoryRequest: Sendable {
    private let device: DeviceKey
    private let period: Range<Timestamp>
    private let periods: [Range<Timestamp>]
    private let points: Int

    /// - Parameters:
    ///   - periods: The result is limited to these periods: those in which a person owned the device
    ///     (`ListOwnedPeriods`). They do not overlap. `nil` sets no limit.
    ///   - points: The most messages that are returned one by one. More are combined into hours or days.
    package init(
        of device: DeviceKey, in period: Range<Timestamp>, within periods: [Range<Timestamp>]? = nil, points: Int
    ) {
        self.device = device
        self.period = period
        self.periods = (periods ?? [period]).map { $0.clamped(to: period) }.filter { !$0.isEmpty }
        self.points = max(1, points)
    }

    /// The options of `perform`'s transaction. A single snapshot ensures that nothing is counted twice or lost where
    /// one source ends and the next begins.
    package static let transaction = TransactionOptions(isolation: .repeatableRead, isReadOnly: true)

    /// - Parameter transaction: A transaction with the options of `HistoryRequest.transaction`.
    /// - Returns: A history for each parameter, those without a value included, all in the same resolution.
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

    /// The period, extended back to the beginning of its first day, whose other hours may be needed.
    private var dueWithin: Range<Timestamp> {
        period.lowerBound.roundedDown(to: RollUpSchedule.day)..<period.upperBound
    }

    /// - Returns: `nil` if there are more messages than wanted points.
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
