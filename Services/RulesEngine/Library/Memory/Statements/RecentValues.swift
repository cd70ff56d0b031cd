import Instants
import Postgres
import Store
import WaterQuality

/// The values of some parameters that were evaluated, looking back from a given time, in the order in which they came: of each
/// minute the one that came first, as `RecentReadings` takes them; the first of five minutes, which `Trend` takes, is among them.
/// What came with one batch came in the order of its times.
struct FindRecentValues: Statement {
    static let sql = """
        SELECT slot, device_id, parameter, event_time, value, came_at FROM (
            SELECT DISTINCT ON (slot, device_id, parameter, minute) * FROM (
                SELECT wanted.slot, wanted.device_id, wanted.parameter, s.event_time,
                    date_bin('1 minute', s.event_time, 'epoch'::timestamptz) AS minute,
                    CASE wanted.parameter
                        \(each { "CASE WHEN \(EvaluatedSince.isEvaluated($0)) THEN s.\($0.name) END" })
                    END AS value,
                    s.received_at + CASE WHEN CASE wanted.parameter
                        \(each { FilledColumns.isFilled($0, of: "s") })
                    END THEN coalesce(s.filled >> 9, 0) ELSE 0 END * interval '1 s' AS came_at
                FROM unnest($1::smallint[], $2::integer[], $3::smallint[], $4::timestamptz[], $5::timestamptz[],
                    $6::timestamptz[]) AS wanted (slot, device_id, parameter, before, since, until)
                \(EvaluatedSince.samples)
                WHERE s.event_time <= wanted.until
            ) evaluated
            WHERE value IS NOT NULL
            ORDER BY slot, device_id, parameter, minute, came_at, event_time
        ) counted
        ORDER BY came_at, event_time
        """

    private static func each(_ text: (Parameter) -> String) -> String {
        Parameter.allCases.map { "WHEN \($0.rawValue) THEN \(text($0))" }
            .joined(separator: "\n                        ")
    }

    struct Row: Sendable {
        var key: ProbeKey
        var reading: Reading
        /// When it was received.
        var cameAt: Timestamp
    }

    let wanted: [(key: ProbeKey, before: Timestamp, since: Timestamp, until: Timestamp)]

    /// - Parameter wanted: Parameters of devices, each with the receipt time from which on its samples wait, and the event times
    ///   between which to look: from as far before the first reading as courses are judged by, to the last.
    init(_ wanted: [(key: ProbeKey, before: Timestamp, since: Timestamp, until: Timestamp)]) {
        self.wanted = wanted
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(wanted.map(\.key))
        parameters.append(wanted.map(\.before))
        parameters.append(wanted.map { $0.since - Courses.reach })
        parameters.append(wanted.map(\.until))
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let (device, parameter) = try (DeviceKey(&row), row.read(Parameter.self))
        return try Row(
            key: ProbeKey(device: device, parameter: parameter),
            reading: Reading(time: row.read(), value: parameter.steps(of: row.read())), cameAt: row.read())
    }
}
