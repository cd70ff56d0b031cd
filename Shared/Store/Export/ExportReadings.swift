package import Instants
package import Postgres
import WaterQuality

/// A page of the readings of one device that are a person's, each a line of CSV (numbers and times alone, which need no quotes) in
/// canonical units, in the order of their time.
package struct ExportReadings: Statement {
    package static let sql = """
        SELECT event_time, concat_ws(',', to_char(event_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                to_char(received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                coalesce(temperature::text, ''),
                coalesce(ph::text, ''),
                coalesce(ammonia::text, ''),
                coalesce(nitrate::text, ''),
                coalesce(nitrite::text, ''),
                coalesce(alkalinity::text, ''),
                coalesce(hardness::text, ''),
                coalesce(dissolved_oxygen::text, ''),
                coalesce(salinity::text, ''))
        FROM person_sample
        WHERE slot = $1 AND device_id = $2 AND event_time > coalesce($3, '-infinity')
        ORDER BY event_time
        LIMIT $4
        """

    /// The columns, parameters in the order of `Parameter.allCases`.
    package static var columns: [String] { ["time", "received"] + Parameter.allCases.map(\.columnTitle) }

    let device: DeviceKey
    let after: Timestamp?
    let limit: Int64

    /// - Parameter after: The time of the last line of the page before; `nil` for the first.
    package init(of device: DeviceKey, after: Timestamp?, limit: Int) {
        self.device = device
        self.after = after
        self.limit = Int64(limit)
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(after)
        parameters.append(limit)
    }

    package static func decode(_ row: inout RowReader) throws -> ExportedLine {
        try ExportedLine(time: row.read(), text: row.read())
    }
}

/// Likewise what the readings of each hour come to: mean, least, greatest and count. Hours outlive the readings.
package struct ExportHours: Statement {
    package static let sql = """
        SELECT starts_at, concat_ws(',', to_char(starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                coalesce((temperature_sum / nullif(temperature_count, 0))::text, ''), coalesce(temperature_min::text, ''),
                coalesce(temperature_max::text, ''), coalesce(temperature_count::text, ''),
                coalesce((ph_sum / nullif(ph_count, 0))::text, ''), coalesce(ph_min::text, ''),
                coalesce(ph_max::text, ''), coalesce(ph_count::text, ''),
                coalesce((ammonia_sum / nullif(ammonia_count, 0))::text, ''), coalesce(ammonia_min::text, ''),
                coalesce(ammonia_max::text, ''), coalesce(ammonia_count::text, ''),
                coalesce((nitrate_sum / nullif(nitrate_count, 0))::text, ''), coalesce(nitrate_min::text, ''),
                coalesce(nitrate_max::text, ''), coalesce(nitrate_count::text, ''),
                coalesce((nitrite_sum / nullif(nitrite_count, 0))::text, ''), coalesce(nitrite_min::text, ''),
                coalesce(nitrite_max::text, ''), coalesce(nitrite_count::text, ''),
                coalesce((alkalinity_sum / nullif(alkalinity_count, 0))::text, ''), coalesce(alkalinity_min::text, ''),
                coalesce(alkalinity_max::text, ''), coalesce(alkalinity_count::text, ''),
                coalesce((hardness_sum / nullif(hardness_count, 0))::text, ''), coalesce(hardness_min::text, ''),
                coalesce(hardness_max::text, ''), coalesce(hardness_count::text, ''),
                coalesce((dissolved_oxygen_sum / nullif(dissolved_oxygen_count, 0))::text, ''), coalesce(dissolved_oxygen_min::text, ''),
                coalesce(dissolved_oxygen_max::text, ''), coalesce(dissolved_oxygen_count::text, ''),
                coalesce((salinity_sum / nullif(salinity_count, 0))::text, ''), coalesce(salinity_min::text, ''),
                coalesce(salinity_max::text, ''), coalesce(salinity_count::text, ''))
        FROM person_sample_hour
        WHERE slot = $1 AND device_id = $2 AND starts_at > coalesce($3, '-infinity')
        ORDER BY starts_at
        LIMIT $4
        """

    package static var columns: [String] {
        ["hour"]
            + Parameter.allCases.flatMap { parameter in
                ["mean", "least", "greatest"].map { "\(parameter.columnTitle) \($0)" } + ["\(parameter.name) count"]
            }
    }

    let device: DeviceKey
    let after: Timestamp?
    let limit: Int64

    package init(of device: DeviceKey, after: Timestamp?, limit: Int) {
        self.device = device
        self.after = after
        self.limit = Int64(limit)
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(after)
        parameters.append(limit)
    }

    package static func decode(_ row: inout RowReader) throws -> ExportedLine {
        try ExportedLine(time: row.read(), text: row.read())
    }
}

/// A line of CSV, and the time by which the next page goes on.
package struct ExportedLine: Sendable {
    package var time: Timestamp
    package var text: String
}

extension Parameter {
    /// The name with the unit in which values are stored.
    fileprivate var columnTitle: String {
        canonicalUnit.symbol.isEmpty ? name : "\(name) (\(canonicalUnit.symbol))"
    }
}
