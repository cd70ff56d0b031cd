package import Instants
package import Postgres
package import WaterQuality

/// The watches of some devices whose value was found to change fast, and not yet to be steady again.
package struct FindOpenRates: Statement {
    package static let sql = """
        SELECT e.slot, e.device_id, e.parameter, e.account_id
        FROM unnest($1::smallint[], $2::integer[]) AS wanted (slot, device_id)
        CROSS JOIN LATERAL (
            SELECT * FROM episode
            WHERE slot = wanted.slot AND device_id = wanted.device_id AND closed_at IS NULL AND kind = 'rate'
            OFFSET 0 -- looked up for each device, however few rows the planner expects
        ) e
        """

    let devices: [DeviceKey]
    package init(_ devices: [DeviceKey]) { self.devices = devices }
    package func bind(_ parameters: inout Parameters) { parameters.append(devices) }
    package static func decode(_ row: inout RowReader) throws -> WatchKey { try WatchKey(&row) }
}

/// The values of some parameters that were evaluated, looking back to a given time, oldest first: of each minute the first, as
/// `RecentReadings` takes them.
package struct FindRecentValues: Statement {
    package static let sql = """
        SELECT DISTINCT ON (slot, device_id, parameter, minute) slot, device_id, parameter, event_time, value
        FROM (
            SELECT wanted.slot, wanted.device_id, wanted.parameter, s.event_time,
                date_bin('1 minute', s.event_time, 'epoch'::timestamptz) AS minute,
                CASE wanted.parameter
                    \(values)
                END AS value
            FROM unnest($1::smallint[], $2::integer[], $3::smallint[], $4::timestamptz[], $5::timestamptz[])
                AS wanted (slot, device_id, parameter, before, since)
            \(EvaluatedSince.samples)
        ) evaluated
        WHERE value IS NOT NULL
        ORDER BY slot, device_id, parameter, minute, event_time
        """

    private static let values = Parameter.allCases.map { parameter in
        "WHEN \(parameter.rawValue) THEN CASE WHEN \(EvaluatedSince.isEvaluated(parameter)) THEN s.\(parameter.name) END"
    }.joined(separator: "\n                    ")

    package struct Row: Sendable {
        package var key: ProbeKey
        package var reading: Reading
    }

    let wanted: [(key: ProbeKey, before: Timestamp, since: Timestamp)]

    /// - Parameter wanted: Parameters of devices, each with the receipt time from which on its samples wait, and the event time
    ///   to look back to, which is hours ago.
    package init(_ wanted: [(key: ProbeKey, before: Timestamp, since: Timestamp)]) { self.wanted = wanted }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(wanted.map(\.key))
        parameters.append(wanted.map(\.before))
        parameters.append(wanted.map(\.since))
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        let (device, parameter) = try (DeviceKey(&row), row.read(Parameter.self))
        return try Row(
            key: ProbeKey(device: device, parameter: parameter),
            reading: Reading(time: row.read(), value: parameter.steps(of: row.read())))
    }
}
