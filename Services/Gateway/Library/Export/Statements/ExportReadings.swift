import Instants
import Postgres
import Store
import WaterQuality

/// Exports a page of a person's readings of one device in the order of their time, each as a line of CSV (numbers and
/// times alone, which need no quotes) in canonical units. QARTOD codes are not part of the line: they are derived from
/// the values.
struct ExportReadings: Statement {
    static let sql = """
        SELECT event_time, concat_ws(',', to_char(event_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                to_char(received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                -- as an array, since a function takes at most 100 arguments
                array_to_string(ARRAY[\(SampleColumns.each { "coalesce(\($0)::text, '')" })], ',')),
            \(SampleColumns.each { $0 })
        FROM person_sample
        WHERE slot = $1 AND device_id = $2 AND event_time > coalesce($3::timestamptz, '-infinity')
        ORDER BY event_time
        LIMIT $4
        """

    /// The columns, parameters in the order of `Parameter.allCases`.
    static var columns: [String] {
        ["time", "received"] + Parameter.allCases.map(\.columnTitle) + Parameter.allCases.map(\.qualityTitle)
    }

    struct Row: Sendable {
        var line: ExportedLine
        var readings: Readings
    }

    let page: ExportPage

    init(of device: DeviceKey, after: Timestamp?, limit: Int) {
        page = ExportPage(of: device, after: after, limit: limit)
    }

    func bind(_ parameters: inout Parameters) { page.bind(&parameters) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(line: ExportedLine(time: row.read(), text: row.read()), readings: Readings(&row))
    }
}

/// Exports hourly roll-ups in the same way: mean, least, greatest and count, and the worst QARTOD code. Hours outlive
/// the readings.
struct ExportHours: Statement {
    static let sql = """
        SELECT starts_at, concat_ws(',', to_char(starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                -- as arrays, since a function takes at most 100 arguments
                array_to_string(ARRAY[\(SampleColumns.each { Self.cells(of: $0) })], ','),
                array_to_string(ARRAY[\(SampleColumns.each { Self.code(of: $0) })], ','))
        FROM person_sample_hour
        CROSS JOIN LATERAL (
            SELECT starts_at >= p.judged_since
                AND starts_at < date_bin('24 hours', p.hours_until - $5 * interval '1 us', 'epoch')
                AND NOT EXISTS (
                    SELECT FROM person_quality_due q
                    WHERE q.slot = p.slot AND q.device_id = $2 AND q.day = date_bin('24 hours', starts_at, 'epoch')) AS is_judged
            FROM rollup_progress p WHERE p.slot = $1
        ) AS known
        WHERE slot = $1 AND device_id = $2 AND starts_at > coalesce($3::timestamptz, '-infinity')
        ORDER BY starts_at
        LIMIT $4
        """

    private static func cells(of column: String) -> String {
        let figures = [
            "\(column)_sum / nullif(\(column)_count, 0)", "\(column)_min", "\(column)_max", "\(column)_count",
        ]
        return figures.map { "coalesce((\($0))::text, '')" }.joined(separator: ", ")
    }

    /// A finding stays known while its day waits to be tested once more.
    private static func code(of column: String) -> String {
        """
        CASE WHEN \(column)_count IS NULL THEN '' WHEN \(column)_flagged & 4 <> 0 THEN '4' WHEN \(column)_flagged > 0 THEN '3'
            WHEN \(column)_flagged IS NULL AND is_judged THEN '1' ELSE '2' END
        """
    }

    static var columns: [String] {
        ["hour"]
            + Parameter.allCases.flatMap { parameter in
                ["mean", "least", "greatest"].map { "\(parameter.columnTitle) \($0)" } + ["\(parameter.name) count"]
            }
            + Parameter.allCases.map(\.qualityTitle)
    }

    let page: ExportPage

    init(of device: DeviceKey, after: Timestamp?, limit: Int) {
        page = ExportPage(of: device, after: after, limit: limit)
    }

    func bind(_ parameters: inout Parameters) {
        page.bind(&parameters)
        parameters.append(DayReview.reach.wholeMicroseconds)
    }

    static func decode(_ row: inout RowReader) throws -> ExportedLine {
        try ExportedLine(time: row.read(), text: row.read())
    }
}

/// Exports the kept positions of a device in the same way, in degrees and metres.
struct ExportPositions: Statement {
    static let sql = """
        SELECT at, concat_ws(',', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
            (latitude / 100000.0)::numeric(8, 5), (longitude / 100000.0)::numeric(8, 5), coalesce(accuracy::text, ''))
        FROM person_track
        WHERE slot = $1 AND device_id = $2 AND at > coalesce($3::timestamptz, '-infinity')
        ORDER BY at
        LIMIT $4
        """

    static let columns = ["time", "latitude", "longitude", "accuracy (m)"]

    let page: ExportPage

    init(of device: DeviceKey, after: Timestamp?, limit: Int) {
        page = ExportPage(of: device, after: after, limit: limit)
    }

    func bind(_ parameters: inout Parameters) { page.bind(&parameters) }

    static func decode(_ row: inout RowReader) throws -> ExportedLine {
        try ExportedLine(time: row.read(), text: row.read())
    }
}

/// A page of the lines of one device, in the order of their time.
struct ExportPage: Sendable {
    let device: DeviceKey
    let after: Timestamp?
    let limit: Int64

    /// - Parameter after: The time of the last line on the page before; `nil` for the first page.
    init(of device: DeviceKey, after: Timestamp?, limit: Int) {
        self.device = device
        self.after = after
        self.limit = Int64(limit)
    }

    /// Four parameters: slot, device, the time before the page, the most lines.
    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(after)
        parameters.append(limit)
    }
}

/// A line of CSV, and the time after which the next page continues.
struct ExportedLine: Sendable {
    var time: Timestamp
    var text: String
}

extension Parameter {
    /// The name with the unit in which values are stored.
    fileprivate var columnTitle: String {
        canonicalUnit.symbol.isEmpty ? name : "\(name) (\(canonicalUnit.symbol))"
    }
}
