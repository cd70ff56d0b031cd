import Instants
import Postgres
import Store
import WaterQuality

@testable import Store

/// The flags of roll-ups as they are stored.
struct FlagsRow: Sendable {
    var device: DeviceKey
    var start: Timestamp
    var flagged: [Int32?]
}

struct ReadHourFlags: Statement {
    static let sql =
        "SELECT slot, device_id, starts_at, ARRAY[\(SampleColumns.each { "\($0)_flagged" })] FROM sample_hour"
    static func decode(_ row: inout RowReader) throws -> FlagsRow {
        try FlagsRow(device: DeviceKey(slot: row.read(), device: row.read()), start: row.read(), flagged: row.read())
    }
}

struct ReadDayFlags: Statement {
    static let sql =
        "SELECT slot, device_id, starts_at, ARRAY[\(SampleColumns.each { "\($0)_flagged" })] FROM sample_day"
    static func decode(_ row: inout RowReader) throws -> FlagsRow { try ReadHourFlags.decode(&row) }
}
