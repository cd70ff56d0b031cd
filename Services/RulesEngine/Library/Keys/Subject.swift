import Postgres
import Store
import WaterQuality

/// The subject of an episode: one kind of trouble of a device, or of one of its parameters, for one person.
struct Subject: Hashable, Sendable {
    var device: DeviceKey
    /// `nil` for the whole device.
    var parameter: Parameter?
    var account: Account.ID
    var kind: Alert.Kind

    init(device: DeviceKey, parameter: Parameter?, account: Account.ID, kind: Alert.Kind) {
        self.device = device
        self.parameter = parameter
        self.account = account
        self.kind = kind
    }

    init(_ row: inout RowReader) throws {
        try self.init(device: DeviceKey(&row), parameter: row.read(), account: row.read(), kind: row.read())
    }

    /// The columns of the key, and the arrays in which they are bound.
    static let columns = "slot, device_id, parameter, account_id, kind"
    static let arrays = "$1::smallint[], $2::integer[], $3::smallint[], $4::bigint[], $5::text[]"

    /// The condition in SQL that a row is of a known parameter, or of the whole device: engines of a newer version may decide beside this.
    static let isKnown = isKnown("parameter")
    static func isKnown(_ column: String) -> String { "coalesce(\(column), 0) < \(Parameter.count)" }
    /// The kinds that this version decides, as a list in SQL.
    static let knownKinds = Alert.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
}

extension Parameters {
    /// Five arrays, those of `Subject.arrays`.
    mutating func append(_ subjects: [Subject]) {
        append(subjects.map(\.device))
        append(subjects.map(\.parameter))
        append(subjects.map(\.account))
        append(subjects.map(\.kind))
    }
}

/// A row of an episode, or of a throttle, lacks what its kind must have.
struct UnreadableRow: Error {}
