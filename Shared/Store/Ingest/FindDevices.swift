package import Postgres
package import WaterQuality

/// Finds devices by the ids in their topics. Unknown ones are not in the result.
package struct FindDevices: Statement {
    package static let sql = """
        SELECT hardware_id, slot, device_id,
            -- Looked up for each device by its key, and not joined with all of them.
            (SELECT probe_id FROM temperature_probe p WHERE p.slot = d.slot AND p.device_id = d.device_id)
        FROM device d WHERE hardware_id = ANY ($1::text[])
        """

    package struct Row: Sendable {
        package var hardwareID: String
        package var slot: Slot
        package var device: Device.ID
        /// The probe that measures the water's temperature, if the device's firmware names its probes.
        package var probe: ProbeID?

        package init(hardwareID: String, slot: Slot, device: Device.ID, probe: ProbeID? = nil) {
            self.hardwareID = hardwareID
            self.slot = slot
            self.device = device
            self.probe = probe
        }
    }

    let hardwareIDs: [String]

    package init(_ hardwareIDs: [String]) {
        self.hardwareIDs = hardwareIDs
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(hardwareIDs)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(hardwareID: row.read(), slot: row.read(), device: row.read(), probe: ProbeID(row: &row))
    }
}
