import Postgres
import Store
import WaterQuality

/// Finds devices by the ids in their topics. Unknown ones are not in the result.
struct FindDevices: Statement {
    static let sql = """
        SELECT hardware_id, slot, device_id,
            -- one look-up by key for each device, rather than a join with the whole table
            (SELECT probe_id FROM temperature_probe p WHERE p.slot = d.slot AND p.device_id = d.device_id),
            EXISTS (SELECT FROM canary c WHERE c.slot = d.slot AND c.device_id = d.device_id),
            coalesce((SELECT o.moves FROM ownership o
                WHERE o.slot = d.slot AND o.device_id = d.device_id AND o.role = 'owner' AND o.unlinked_at IS NULL), false)
        FROM device d
        -- nothing sends as a site
        WHERE hardware_id = ANY ($1::text[]) AND kind = $2
        """

    struct Row: Sendable {
        var hardwareID: String
        var slot: Slot
        var device: Device.ID
        /// The probe that measures the water's temperature, if the device's firmware names its probes.
        var probe: ProbeID?
        /// Whether it is the operator's canary, which is nobody's water.
        var isCanary: Bool
        /// Whether its owner says that it moves, so that its positions are kept.
        var moves: Bool

        init(
            hardwareID: String, slot: Slot, device: Device.ID, probe: ProbeID? = nil, isCanary: Bool = false,
            moves: Bool = false
        ) {
            self.hardwareID = hardwareID
            self.slot = slot
            self.device = device
            self.probe = probe
            self.isCanary = isCanary
            self.moves = moves
        }
    }

    let hardwareIDs: [String]
    let kind: Device.Kind

    /// - Parameter kind: Sites are found only for what the service itself brings them.
    init(_ hardwareIDs: [String], kind: Device.Kind) {
        self.hardwareIDs = hardwareIDs
        self.kind = kind
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(hardwareIDs)
        parameters.append(kind.rawValue)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            hardwareID: row.read(), slot: row.read(), device: row.read(), probe: ProbeID(row: &row),
            isCanary: row.read(), moves: row.read())
    }
}
