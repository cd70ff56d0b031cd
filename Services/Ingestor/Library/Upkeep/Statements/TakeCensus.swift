import Postgres
import Store

/// How many people, devices and alarms stand how.
struct TakeCensus: Statement {
    static let sql = "SELECT open_alarms, silent_devices, unreached_people FROM take_census()"

    struct Row: Sendable {
        /// Episodes that go on, silences aside: each person's count.
        var openAlarms: Int64
        /// Devices of which somebody knows that they are silent.
        var silentDevices: Int64
        /// People with a device whom no alert would reach.
        var unreachedPeople: Int64
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(openAlarms: row.read(), silentDevices: row.read(), unreachedPeople: row.read())
    }
}
