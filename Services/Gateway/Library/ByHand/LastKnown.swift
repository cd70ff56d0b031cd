import Instants
import Postgres
import Store
import WaterQuality

/// The last value of a parameter that is known, in its canonical unit.
struct LastKnown: Sendable {
    var value: Float
    var at: Timestamp
    /// Whether a person has measured it, and not a probe.
    var isByHand: Bool
}

extension PostgresTransaction {
    /// The last value of each parameter: by hand, or else of the probe within the last days.
    /// - Parameter test: A test that is left out.
    func lastKnown(
        of device: DeviceKey, _ id: Device.HardwareID, except test: HandTestID? = nil
    ) throws -> [Parameter: LastKnown] {
        var known: [Parameter: LastKnown] = [:]
        for row in try execute(LatestReadings(of: id)) {
            known[row.parameter] = LastKnown(value: row.value, at: row.time, isByHand: false)
        }
        for point in try execute(ReadLastHandValues(of: device)).compactMap(\.self)
        where point.test != test && known[point.value.parameter]?.isByHand != true {
            known[point.value.parameter] = LastKnown(value: point.value.value, at: point.at, isByHand: true)
        }
        return known
    }
}
