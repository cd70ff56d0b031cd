import Postgres
import Store

/// Counts open alarms, silent devices and unreached people, and measures how long the enroller is waited for.
struct TakeCensus: Statement {
    static let sql = "SELECT open_alarms, silent_devices, unreached_people, enrolment_waits_seconds FROM take_census()"

    struct Row: Sendable {
        /// Open episodes, silences aside, counted for each person.
        var openAlarms: Int64
        /// Devices known to be silent to somebody who is told.
        var silentDevices: Int64
        /// People with a device whom no alert would reach.
        var unreachedPeople: Int64
        /// For how long the oldest devices have waited that somebody asked for; 0: none waits.
        var enrolmentWaitsSeconds: Double
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            openAlarms: row.read(), silentDevices: row.read(), unreachedPeople: row.read(),
            enrolmentWaitsSeconds: row.read())
    }
}
