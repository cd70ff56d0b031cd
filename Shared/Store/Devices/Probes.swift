package import Instants
package import Postgres
package import WaterQuality

/// Records the first probe heard of each device that had none.
package struct NoteProbes: Statement {
    package static let sql = """
        INSERT INTO temperature_probe (slot, device_id, probe_id)
        SELECT n.slot, n.device_id, n.probe_id
        FROM unnest($1::smallint[], $2::integer[], $3::text[]) AS n (slot, device_id, probe_id)
        ORDER BY n.slot, n.device_id -- so that Ingestors do not wait for each other in a circle
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

/// Finds the probes chosen recently.
package struct FindChoices: Statement {
    package static let sql = """
        SELECT slot, device_id, probe_id FROM temperature_probe WHERE chosen_at >= now() - $1 * interval '1 microsecond'
        """

    /// The margin for differing clocks, and for the commit of a choice.
    private static let overlap = Duration.seconds(60)

    let within: Duration

    /// - Parameter duration: The time since the last search.
    package init(since duration: Duration) { within = duration + Self.overlap }

    package func bind(_ parameters: inout Parameters) { parameters.append(Int64(within / .microseconds(1))) }

    package static func decode(_ row: inout RowReader) throws -> (device: DeviceKey, probe: ProbeID?) {
        (DeviceKey(slot: try row.read(), device: try row.read()), try ProbeID(row: &row))
    }
}

/// Sets the probe that measures a device's water.
package struct ChooseProbe: Statement {
    package static let sql = """
        INSERT INTO temperature_probe AS t (slot, device_id, probe_id, chosen_at) VALUES ($1, $2, $3, now())
        ON CONFLICT (slot, device_id) DO UPDATE SET probe_id = excluded.probe_id, chosen_at = excluded.chosen_at
        WHERE t.probe_id <> excluded.probe_id
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

/// A device's report about one of its probes.
package struct ReportedProbe: Hashable, Sendable {
    /// The most probes kept for a device.
    package static let most = 8

    package var device: DeviceKey
    package var probe: ProbeID
    /// The temperature in the canonical unit; `nil` if the probe reported an error, or no value.
    package var temperature: Float?
    package var at: Timestamp

    package init(device: DeviceKey, probe: ProbeID, temperature: Float?, at: Timestamp) {
        self.device = device
        self.probe = probe
        self.temperature = temperature
        self.at = at
    }
}

/// Stores the reports of probes.
package struct NoteReportedProbes: Statement {
    package static let sql =
        "SELECT note_reported_probes($1::smallint[], $2::integer[], $3::text[], $4::real[], $5::timestamptz[])"

    let reported: [ReportedProbe]

    /// - Parameter reported: The reports, at most one for each probe of a device.
    package init(_ reported: [ReportedProbe]) { self.reported = reported }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(reported.map(\.device))
        parameters.append(reported.map(\.probe.text))
        parameters.append(reported.map(\.temperature))
        parameters.append(reported.map(\.at))
    }
}

/// A probe of a device, as people see it.
package struct KnownProbe: Sendable {
    package var id: String
    /// Whether it measures the device's water.
    package var isChosen: Bool
    /// The temperature in the canonical unit; `nil` if the probe reported an error, or no report is known.
    package var temperature: Float?
    package var reportedAt: Timestamp?

    init(_ row: inout RowReader) throws {
        id = try row.read()
        isChosen = try row.read()
        temperature = try row.read()
        reportedAt = try row.read()
    }
}

/// All probes of a device, the one in the water first; no rows if none was heard of.
package struct ListProbes: Statement {
    package static let sql = """
        SELECT coalesce(r.probe_id, t.probe_id), t.probe_id IS NOT NULL, r.temperature, r.reported_at
        FROM (SELECT * FROM reported_probe WHERE slot = $1 AND device_id = $2) r
        FULL JOIN (SELECT * FROM temperature_probe WHERE slot = $1 AND device_id = $2) t ON t.probe_id = r.probe_id
        ORDER BY 2 DESC, 1
        """

    let device: DeviceKey
    package init(of device: DeviceKey) { self.device = device }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    package static func decode(_ row: inout RowReader) throws -> KnownProbe { try KnownProbe(&row) }
}

/// The probes of a device of the transaction's person, in the order of their Ids: at most eight, the one in the water
/// and those heard last.
package struct ListPersonProbes: Statement {
    package static let sql = """
        SELECT * FROM (
            SELECT probe_id, is_chosen, temperature, reported_at FROM person_probe WHERE slot = $1 AND device_id = $2
            ORDER BY is_chosen DESC, reported_at DESC, probe_id
            LIMIT 8
        ) p ORDER BY probe_id
        """

    let device: DeviceKey
    package init(of device: DeviceKey) { self.device = device }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    package static func decode(_ row: inout RowReader) throws -> KnownProbe { try KnownProbe(&row) }
}

/// Sets the probe that measures the water of a device of the transaction's person. The result is false if they do not
/// own the device, or it has no such probe.
package struct ChoosePersonProbe: Statement {
    package static let sql = "SELECT choose_probe($1, $2, $3)"

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

    package static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

extension ProbeID {
    /// Reads an id; `nil` for NULL.
    package init?(row: inout RowReader) throws {
        let text: String? = try row.read()
        guard let text else { return nil }
        self.init(text)
    }
}
