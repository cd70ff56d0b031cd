import Postgres
import Store
import WaterQuality

/// The limits of one person for a device, by which values by hand are judged as soon as they are shown.
struct OwnLimits: Sendable {
    private var ranges: [Parameter: SafeRange] = [:]
    private var units: [Parameter: Unit] = [:]

    init(_ settings: [ListSettings.Row]) {
        for row in settings {
            let range = row.setting.range(of: row.parameter)
            units[row.parameter] = range.unit
            ranges[row.parameter] = try? SafeRange(row.parameter, minimum: range.minimum, maximum: range.maximum)
        }
    }

    subscript(parameter: Parameter) -> SafeRange? { ranges[parameter] }

    /// The scale of the person's unit.
    func scale(of parameter: Parameter) -> UnitScale { parameter.scale(chosen: units[parameter]) }
}

extension PostgresTransaction {
    /// A device that the person has or had, with their limits for it; of one that they have no more there are none.
    func limits(of device: DeviceKey, _ account: Account.ID) throws -> OwnLimits {
        OwnLimits(try execute(ListSettings(of: device, by: account)))
    }
}
