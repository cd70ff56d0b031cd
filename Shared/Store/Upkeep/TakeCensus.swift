package import Postgres

/// How many people, devices and alarms stand how.
package struct TakeCensus: Statement {
    package static let sql = "SELECT open_alarms, silent_devices, unreached_people FROM take_census()"

    package struct Row: Sendable {
        /// Episodes that go on, silences aside: each person's count.
        package var openAlarms: Int64
        /// Devices of which somebody knows that they are silent.
        package var silentDevices: Int64
        /// People with a device whom no alert would reach.
        package var unreachedPeople: Int64
    }

    package init() {}

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(openAlarms: row.read(), silentDevices: row.read(), unreachedPeople: row.read())
    }
}
