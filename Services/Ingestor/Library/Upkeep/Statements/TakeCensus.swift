import Postgres
import Store

/// Counts open alarms, silent devices and unreached people.
struct TakeCensus: Statement {
    static let sql = "SELECT open_alarms, silent_devices, unreached_people FROM take_census()"

    struct Row: Sendable {
        /// Open episodes, silences aside, counted for each person.
        var openAlarms: Int64
        /// Devices known to be silent to somebody who is told.
        var silentDevices: Int64
        /// People with a device whom no alert would reach.
        var unreachedPeople: Int64
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(openAlarms: row.read(), silentDevices: row.read(), unreachedPeople: row.read())
    }
}
