import Instants
import Postgres
import Store
import WaterQuality

/// The limits of one person for a device, by which values by hand are judged as soon as they are shown.
struct OwnLimits: Sendable {
    private var ranges: [Parameter: (range: PersonalRange, turns: LimitTurns)] = [:]

    init(_ ranges: [PersonalRange], _ turns: [LimitTurns]) {
        for (range, turns) in zip(ranges, turns) { self.ranges[range.parameter] = (range, turns) }
    }

    /// The limits for what was measured at a time.
    func limits(of parameter: Parameter, at time: Timestamp) -> SafeRange? {
        guard let (range, turns) = ranges[parameter] else { return nil }
        let held = range.held(at: turns.place(at: time))
        return try? SafeRange(parameter, minimum: held.minimum, maximum: held.maximum)
    }

    /// The scale of the person's unit.
    func scale(of parameter: Parameter) -> UnitScale { parameter.scale(chosen: ranges[parameter]?.range.unit) }
}

extension PostgresTransaction {
    /// A device that the person has or had, with their limits for it; of one that they have no more there are none.
    /// - Parameter times: When values were measured that are judged: limits that change by the clock are known for 400 days up to the last.
    func limits(of device: DeviceKey, _ account: Account.ID, for times: some Sequence<Timestamp>) throws -> OwnLimits {
        let ranges = try execute(ListSettings(of: device, by: account)).map { $0.setting.range(of: $0.parameter) }
        guard let first = times.min(), let last = times.max() else {
            return OwnLimits(ranges, ranges.map { _ in .none })
        }
        let time = max(first, last - .seconds(400 * 86_400))..<last + .seconds(1)
        return OwnLimits(ranges, try turns(of: ranges, in: time))
    }
}
