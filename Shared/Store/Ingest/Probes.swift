package import Postgres
package import WaterQuality

/// Notes the probes that were heard of first, of devices that had none.
package struct NoteProbes: Statement {
    package static let sql = """
        INSERT INTO temperature_probe (slot, device_id, probe_id)
        SELECT * FROM unnest($1::smallint[], $2::integer[], $3::text[])
        ON CONFLICT (slot, device_id) DO NOTHING
        """

    let probes: [(device: DeviceKey, probe: ProbeID)]

    package init(_ probes: [DeviceKey: ProbeID]) {
        self.probes = probes.map { ($0.key, $0.value) }
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(probes.map(\.device))
        parameters.append(probes.map(\.probe.text))
    }
}

/// Names the probe that measures a device's water.
package struct ChooseProbe: Statement {
    package static let sql = """
        INSERT INTO temperature_probe (slot, device_id, probe_id) VALUES ($1, $2, $3)
        ON CONFLICT (slot, device_id) DO UPDATE SET probe_id = excluded.probe_id
        """

    let device: DeviceKey
    let probe: ProbeID

    package init(_ probe: ProbeID, of device: DeviceKey) {
        self.device = device
        self.probe = probe
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(probe.text)
    }
}

/// The probe that measures a device's water; no row when none was heard of.
package struct ReadProbe: Statement {
    package static let sql = "SELECT probe_id FROM temperature_probe WHERE slot = $1 AND device_id = $2"

    let device: DeviceKey

    package init(of device: DeviceKey) { self.device = device }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    package static func decode(_ row: inout RowReader) throws -> ProbeID? { try ProbeID(row: &row) }
}

extension ProbeID {
    /// `nil` for NULL.
    init?(row: inout RowReader) throws {
        let text: String? = try row.read()
        guard let text else { return nil }
        self.init(text)
    }
}
