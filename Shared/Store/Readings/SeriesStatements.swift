import Instants
import Postgres
import WaterQuality

/// The input that the statements of a series share: one parameter of one device in a period.
struct SeriesSource: Sendable {
    let device: DeviceKey
    let parameter: Parameter
    let period: Range<Timestamp>

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(period.lowerBound)
        parameters.append(period.upperBound)
        parameters.append(parameter)
    }

    /// The column of the parameter `$5`.
    static func column(_ suffix: String = "") -> String {
        let cases = Parameter.allCases.map { "WHEN \($0.rawValue) THEN \($0.name)\(suffix)" }.joined(separator: " ")
        return "CASE $5::smallint \(cases) END"
    }

    static func rollUps(_ view: String) -> String {
        """
        SELECT * FROM (
            SELECT starts_at, \(column("_min")) AS least, \(column("_max")) AS greatest, \(column("_sum")) AS total,
                \(column("_count")) AS number, \(column("_flagged")) AS flagged
            FROM \(view)
            WHERE slot = $1::smallint AND device_id = $2::integer
                AND starts_at >= $3::timestamptz AND starts_at < $4::timestamptz
        ) AS part
        WHERE number IS NOT NULL
        """
    }
}

/// The values that the person sees in a period, in any order.
struct ReadSeriesSamples: Statement {
    static let sql = """
        SELECT event_time, value FROM (
            SELECT event_time, \(SeriesSource.column()) AS value FROM person_sample
            WHERE slot = $1::smallint AND device_id = $2::integer
                AND event_time >= $3::timestamptz AND event_time < $4::timestamptz
        ) AS message
        WHERE value IS NOT NULL
        """
    let source: SeriesSource
    init(_ source: SeriesSource) { self.source = source }
    func bind(_ parameters: inout Parameters) { source.bind(&parameters) }

    static func decode(_ row: inout RowReader) throws -> SeriesRow {
        try SeriesRow(time: row.read(), value: row.read())
    }
}

/// The hours that the person sees whole in a period, in any order.
struct ReadSeriesHours: Statement {
    static let sql = SeriesSource.rollUps("person_sample_hour")
    let source: SeriesSource
    init(_ source: SeriesSource) { self.source = source }
    func bind(_ parameters: inout Parameters) { source.bind(&parameters) }
    static func decode(_ row: inout RowReader) throws -> SeriesRow {
        try SeriesRow(rollUp: &row, span: RollUpSchedule.hour)
    }
}

/// The days that the person sees whole in a period, in any order.
struct ReadSeriesDays: Statement {
    static let sql = SeriesSource.rollUps("person_sample_day")
    let source: SeriesSource
    init(_ source: SeriesSource) { self.source = source }
    func bind(_ parameters: inout Parameters) { source.bind(&parameters) }
    static func decode(_ row: inout RowReader) throws -> SeriesRow {
        try SeriesRow(rollUp: &row, span: RollUpSchedule.day)
    }
}

extension SeriesRow {
    fileprivate init(rollUp row: inout RowReader, span: Duration) throws {
        self.init(
            time: try row.read(), span: span, least: try row.read(), greatest: try row.read(), sum: try row.read(),
            count: Int64(try row.read(Int32.self)))
        flagged = try row.read(Int32?.self).flatMap(FlaggedValues.init(rawValue:))
    }
}

/// The hours of a person's device that are due again, ascending.
struct FindPersonDueHours: Statement {
    static let sql = """
        SELECT DISTINCT hour FROM person_rollup_due
        WHERE slot = $1 AND device_id = $2 AND hour >= $3 AND hour < $4
        ORDER BY hour
        """
    let device: DeviceKey
    let period: Range<Timestamp>

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(period.lowerBound)
        parameters.append(period.upperBound)
    }

    static func decode(_ row: inout RowReader) throws -> Timestamp { try row.read() }
}

/// The days of a person's device that are to be put to QARTOD's tests, or once more.
struct FindPersonDueDays: Statement {
    static let sql = """
        SELECT DISTINCT day FROM person_quality_due
        WHERE slot = $1 AND device_id = $2 AND day >= $3 AND day < $4
        """
    let device: DeviceKey
    let period: Range<Timestamp>

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(period.lowerBound)
        parameters.append(period.upperBound)
    }

    static func decode(_ row: inout RowReader) throws -> Timestamp { try row.read() }
}

/// The limits that a person had set for a parameter of a device in a period, and the first that they had after it began.
struct ListLimits: Statement {
    static let sql = """
        SELECT valid_from, coalesce(valid_until, 'infinity'), minimum, maximum FROM setting
        WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND parameter = $4
            AND (valid_until > $5 OR valid_until IS NULL)
            AND (valid_from < $6 OR valid_from = (
                SELECT min(f.valid_from) FROM setting f
                WHERE f.slot = $1 AND f.device_id = $2 AND f.account_id = $3 AND f.parameter = $4))
        """
    let watch: WatchKey
    let period: Range<Timestamp>

    init(_ watch: WatchKey, in period: Range<Timestamp>) {
        self.watch = watch
        self.period = period
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(watch.device.slot)
        parameters.append(watch.device.device)
        parameters.append(watch.account)
        parameters.append(watch.parameter)
        parameters.append(period.lowerBound)
        parameters.append(period.upperBound)
    }

    static func decode(_ row: inout RowReader) throws -> LimitVersion {
        let (from, until) = try (row.read(Timestamp.self), row.read(Timestamp.self))
        return try LimitVersion(period: from..<max(from, until), minimum: row.read(), maximum: row.read())
    }
}
