import Postgres
package import WaterQuality

/// What is silent or broken: a device, or one parameter of a device that otherwise sends.
package struct ProbeKey: Hashable, Sendable {
    package var device: DeviceKey
    /// `nil` for the whole device.
    package var parameter: Parameter?

    package init(device: DeviceKey, parameter: Parameter? = nil) {
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
