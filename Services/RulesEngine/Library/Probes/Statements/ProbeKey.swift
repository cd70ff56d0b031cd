import Postgres
import Store
import WaterQuality

/// What is silent, is broken, changes fast or is on the way to a limit: a device, or one parameter of a device.
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

/// The columns with which episodes and alerts of the kinds beside range begin, and the arrays in which they are bound.
enum ProbeColumns {
    static let names = "slot, device_id, parameter, account_id, kind"
    static let arrays = "$1::smallint[], $2::integer[], $3::smallint[], $4::bigint[], $5::text[]"
}

extension Parameters {
    /// Five arrays, those of `ProbeColumns`.
    mutating func append<Row>(
        probes rows: [Row], _ key: (Row) -> ProbeKey, _ account: (Row) -> Account.ID, _ kind: (Row) -> Alert.Kind
    ) {
        append(rows.map(key))
        append(rows.map(account))
        append(rows.map(kind))
    }
}
