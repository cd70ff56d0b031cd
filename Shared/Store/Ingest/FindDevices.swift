package import Postgres
package import WaterQuality

/// Finds devices by the ids in their topics. Unknown ones are not in the result.
package struct FindDevices: Statement {
    package static let sql = """
        SELECT hardware_id, slot, device_id FROM device WHERE hardware_id = ANY ($1::text[])
        """

    package struct Row: Sendable {
        package var hardwareID: String
        package var slot: Slot
        package var device: Device.ID
    }

    let hardwareIDs: [String]

    package init(_ hardwareIDs: [String]) {
        self.hardwareIDs = hardwareIDs
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(hardwareIDs)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(hardwareID: row.read(), slot: row.read(), device: row.read())
    }
}
