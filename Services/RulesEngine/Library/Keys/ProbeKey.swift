import Postgres
import Store
import WaterQuality

/// A device, or one of its parameters, as far as its probe goes: silent, broken, or staying the same.
struct ProbeKey: Hashable, Sendable {
    var device: DeviceKey
    /// `nil` for the whole device.
    var parameter: Parameter?

    init(device: DeviceKey, parameter: Parameter? = nil) {
        self.device = device
        self.parameter = parameter
    }

    init(_ row: inout RowReader) throws {
        try self.init(device: DeviceKey(&row), parameter: row.read())
    }
}

extension Parameters {
    /// Three arrays: slots, devices, parameters.
    mutating func append(_ keys: [ProbeKey]) {
        append(keys.map(\.device))
        append(keys.map(\.parameter))
    }
}
